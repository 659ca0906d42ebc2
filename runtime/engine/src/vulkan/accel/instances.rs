//! `D3D12_RAYTRACING_INSTANCE_DESC` with addresses of Vulkan's structures.

use crate::error::{Error, ErrorKind, Result};

/// Bytes of `D3D12_RAYTRACING_INSTANCE_DESC` and of `VkAccelerationStructureInstanceKHR`, which are the same but for the address.
pub const INSTANCE_SIZE: usize = 64;
/// Where the address is in them.
const INSTANCE_ADDRESS: usize = 56;

/// Replaces the addresses in `D3D12_RAYTRACING_INSTANCE_DESC`s by those that `translate` gives; 0 stays, an inactive instance.
///
/// # Errors
/// [`ErrorKind::Binding`]: a part of an instance, or an address that `translate` does not know.
pub fn translate_instances(bytes: &mut [u8], mut translate: impl FnMut(u64) -> Option<u64>) -> Result<()> {
    if !bytes.len().is_multiple_of(INSTANCE_SIZE) {
        return Err(Error::new(ErrorKind::Binding, format!("{} bytes are no whole number of instances", bytes.len())));
    }
    for (i, instance) in bytes.chunks_exact_mut(INSTANCE_SIZE).enumerate() {
        let mut word = [0; 8];
        word.copy_from_slice(&instance[INSTANCE_ADDRESS..]);
        let address = u64::from_le_bytes(word);
        if address == 0 {
            continue;
        }
        let Some(translated) = translate(address) else {
            return Err(Error::new(ErrorKind::Binding, format!("instance {i} refers to an unknown structure at {address:#x}")));
        };
        instance[INSTANCE_ADDRESS..].copy_from_slice(&translated.to_le_bytes());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::vk;
    use super::*;

    #[test]
    fn addresses_of_instances_are_replaced() {
        let mut bytes: Vec<u8> = (0..128).map(|i| i as u8).collect();
        bytes[56..64].copy_from_slice(&0x1000u64.to_le_bytes());
        bytes[120..128].fill(0);
        let before = bytes.clone();
        translate_instances(&mut bytes, |a| (a == 0x1000).then_some(0xabc0)).unwrap();
        assert_eq!(bytes[56..64], 0xabc0u64.to_le_bytes());
        assert_eq!((&bytes[..56], &bytes[64..]), (&before[..56], &before[64..]));
        let e = translate_instances(&mut bytes, |_| None).unwrap_err();
        assert!(e.message.contains("instance 0 refers to an unknown structure at 0xabc0"), "{e}");
        assert!(translate_instances(&mut bytes[..100], |_| None).is_err());
        assert_eq!(std::mem::size_of::<vk::AccelerationStructureInstanceKHR>(), INSTANCE_SIZE);
    }
}
