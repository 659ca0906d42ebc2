# find_package(rtcrt CONFIG) defines the targets
#
#   rtcrt::rtcrt    the shared library
#   rtcrt::static   the static one

get_filename_component(_rtcrt_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET rtcrt::rtcrt)
  add_library(rtcrt::rtcrt SHARED IMPORTED)
  set_target_properties(rtcrt::rtcrt PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${_rtcrt_prefix}/include")
  if(WIN32)
    if(MSVC)
      set(_rtcrt_import "${_rtcrt_prefix}/lib/rtcrt.lib")
    else()
      set(_rtcrt_import "${_rtcrt_prefix}/lib/librtcrt.dll.a")
    endif()
    if(NOT EXISTS "${_rtcrt_import}")
      message(FATAL_ERROR "there is no ${_rtcrt_import}; make it: lib /def:${_rtcrt_prefix}/lib/rtcrt.def /machine:x64 /out:rtcrt.lib")
    endif()
    set_target_properties(rtcrt::rtcrt PROPERTIES IMPORTED_LOCATION "${_rtcrt_prefix}/bin/rtcrt.dll" IMPORTED_IMPLIB "${_rtcrt_import}")
  else()
    set_target_properties(rtcrt::rtcrt PROPERTIES IMPORTED_LOCATION "${_rtcrt_prefix}/lib/librtcrt${CMAKE_SHARED_LIBRARY_SUFFIX}")
  endif()
endif()

if(NOT TARGET rtcrt::static AND EXISTS "${_rtcrt_prefix}/lib/librtcrt.a")
  find_package(Threads REQUIRED)
  add_library(rtcrt::static STATIC IMPORTED)
  set_target_properties(rtcrt::static PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${_rtcrt_prefix}/include"
    IMPORTED_LOCATION "${_rtcrt_prefix}/lib/librtcrt.a"
    INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};m")
endif()

set(rtcrt_FOUND TRUE)
