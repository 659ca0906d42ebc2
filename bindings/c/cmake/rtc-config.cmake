# find_package(rtc CONFIG) defines the targets
#
#   rtc::rtc      the shared library
#   rtc::static   the static one
#
# and the function
#
#   rtc_add_shaders(TARGET
#       SOURCES file...               HLSL sources
#       PROFILE profile               target profile: lib_6_6, cs_6_6
#       [OPTIONS option...]           more options of the compiler
#       [EXTENSION extension]         of the outputs; default: .dxil, or .spv with -spirv
#       [OUTPUT_DIRECTORY folder])    default: the folder TARGET in the binary directory
#
# which adds a target that compiles each source, and again when the source or a file that it includes has changed. The outputs are in the
# property RTC_OUTPUTS of the target.

get_filename_component(_rtc_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET rtc::rtc)
  add_library(rtc::rtc SHARED IMPORTED)
  set_target_properties(rtc::rtc PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${_rtc_prefix}/include")
  if(WIN32)
    if(MSVC)
      set(_rtc_import "${_rtc_prefix}/lib/rtc.lib")
    else()
      set(_rtc_import "${_rtc_prefix}/lib/librtc.dll.a")
    endif()
    if(NOT EXISTS "${_rtc_import}")
      message(FATAL_ERROR "there is no ${_rtc_import}; make it: lib /def:${_rtc_prefix}/lib/rtc.def /machine:x64 /out:rtc.lib")
    endif()
    set_target_properties(rtc::rtc PROPERTIES IMPORTED_LOCATION "${_rtc_prefix}/bin/rtc.dll" IMPORTED_IMPLIB "${_rtc_import}")
  else()
    set_target_properties(rtc::rtc PROPERTIES IMPORTED_LOCATION "${_rtc_prefix}/lib/librtc${CMAKE_SHARED_LIBRARY_SUFFIX}")
  endif()
endif()

if(NOT TARGET rtc::static AND EXISTS "${_rtc_prefix}/lib/librtc.a")
  find_package(Threads REQUIRED)
  add_library(rtc::static STATIC IMPORTED)
  set_target_properties(rtc::static PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${_rtc_prefix}/include"
    IMPORTED_LOCATION "${_rtc_prefix}/lib/librtc.a"
    INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};m")
endif()

find_program(RTC_COMPILER rtc HINTS "${_rtc_prefix}/bin")

function(rtc_add_shaders target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PROFILE;EXTENSION;OUTPUT_DIRECTORY" "SOURCES;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "rtc_add_shaders: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_SOURCES OR NOT arg_PROFILE)
    message(FATAL_ERROR "rtc_add_shaders(${target}): SOURCES and PROFILE are required")
  endif()
  if(NOT RTC_COMPILER)
    message(FATAL_ERROR "rtc_add_shaders(${target}): the command rtc is not found; set RTC_COMPILER to its path")
  endif()
  if(NOT arg_EXTENSION)
    if("-spirv" IN_LIST arg_OPTIONS)
      set(arg_EXTENSION .spv)
    else()
      set(arg_EXTENSION .dxil)
    endif()
  endif()
  if(NOT arg_OUTPUT_DIRECTORY)
    set(arg_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/${target}")
  endif()
  file(MAKE_DIRECTORY "${arg_OUTPUT_DIRECTORY}")
  set(outputs)
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(path "${source}" ABSOLUTE)
    get_filename_component(name "${source}" NAME_WLE)
    set(output "${arg_OUTPUT_DIRECTORY}/${name}${arg_EXTENSION}")
    if(output IN_LIST outputs)
      message(FATAL_ERROR "rtc_add_shaders(${target}): two sources are named ${name}")
    endif()
    set(command "${RTC_COMPILER}" -T ${arg_PROFILE} ${arg_OPTIONS})
    add_custom_command(
      OUTPUT "${output}"
      COMMAND ${command} -MF "${output}.d" -Fo "${output}" "${path}"
      COMMAND ${command} -Fo "${output}" "${path}"
      DEPENDS "${path}" "${RTC_COMPILER}"
      DEPFILE "${output}.d"
      COMMENT "Compiling ${source}"
      VERBATIM)
    list(APPEND outputs "${output}")
  endforeach()
  add_custom_target(${target} ALL DEPENDS ${outputs})
  set_target_properties(${target} PROPERTIES RTC_OUTPUTS "${outputs}")
endfunction()

set(rtc_FOUND TRUE)
