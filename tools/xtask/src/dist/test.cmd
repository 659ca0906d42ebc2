@echo off
rem Tests the programs of this archive where it was unpacked: test.cmd
setlocal
cd /d "%~dp0"
set OUT=%TEMP%\rtc-test-%RANDOM%
mkdir "%OUT%"
if not exist "%OUT%" exit /b 1
bin\rtc.exe --version
if errorlevel 1 goto failed
bin\rtc.exe -T lib_6_3 samples\hello\hello.hlsl -Fo "%OUT%\hello.dxil"
if errorlevel 1 goto failed
bin\rtc.exe -T lib_6_3 -spirv -fspv-target-env=vulkan1.2 samples\hello\hello.hlsl -Fo "%OUT%\hello.rtp"
if errorlevel 1 goto failed
bin\rtc.exe validate "%OUT%\hello.dxil"
if errorlevel 1 goto failed
bin\rtc.exe dis "%OUT%\hello.dxil" -o "%OUT%\hello.txt"
if errorlevel 1 goto failed
bin\rtc.exe reflect "%OUT%\hello.dxil" -o "%OUT%\hello.json"
if errorlevel 1 goto failed
bin\rtc.exe run --device list
if errorlevel 1 goto failed
for %%f in (bin\rtc-opt.exe bin\rtc.dll bin\rtcrt.dll bin\dxcompiler.dll bin\dxil.dll include\rtc.h include\rtcrt.h lib\librtc.dll.a lib\rtc.def lib\pkgconfig\rtc.pc lib\cmake\rtc\rtc-config.cmake) do (
    if not exist %%f (
        echo there is no %%f
        goto failed
    )
)
rmdir /s /q "%OUT%"
echo the archive is complete
exit /b 0

:failed
rmdir /s /q "%OUT%"
echo a test of the archive failed
exit /b 1
