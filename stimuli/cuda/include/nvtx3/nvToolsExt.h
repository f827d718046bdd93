#pragma once
// NVIDIA's tools extension: marks for profilers. No profiler is attached, so that the functions do nothing, as they do on a GPU then.

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_NO_PUSH_POP_TRACKING (-2)
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

enum { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB };
enum { NVTX_MESSAGE_UNKNOWN, NVTX_MESSAGE_TYPE_ASCII, NVTX_MESSAGE_TYPE_UNICODE, NVTX_MESSAGE_TYPE_REGISTERED };
enum {
  NVTX_PAYLOAD_UNKNOWN,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64,
  NVTX_PAYLOAD_TYPE_INT64,
  NVTX_PAYLOAD_TYPE_DOUBLE,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32,
  NVTX_PAYLOAD_TYPE_INT32,
  NVTX_PAYLOAD_TYPE_FLOAT
};

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st* nvtxStringHandle_t;
typedef struct nvtxEventAttributes_v2 {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved0;
  union {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  union {
    const char* ascii;
    const wchar_t* unicode;
    nvtxStringHandle_t registered;
  } message;
} nvtxEventAttributes_t;

#define WHARF_NO_PROFILER static inline
WHARF_NO_PROFILER void nvtxInitialize(const void*) {}
WHARF_NO_PROFILER void nvtxMarkA(const char*) {}
WHARF_NO_PROFILER void nvtxMarkW(const wchar_t*) {}
WHARF_NO_PROFILER void nvtxMarkEx(const nvtxEventAttributes_t*) {}
WHARF_NO_PROFILER int nvtxRangePushA(const char*) { return NVTX_NO_PUSH_POP_TRACKING; }
WHARF_NO_PROFILER int nvtxRangePushW(const wchar_t*) { return NVTX_NO_PUSH_POP_TRACKING; }
WHARF_NO_PROFILER int nvtxRangePushEx(const nvtxEventAttributes_t*) { return NVTX_NO_PUSH_POP_TRACKING; }
WHARF_NO_PROFILER int nvtxRangePop(void) { return NVTX_NO_PUSH_POP_TRACKING; }
WHARF_NO_PROFILER nvtxRangeId_t nvtxRangeStartA(const char*) { return 0; }
WHARF_NO_PROFILER nvtxRangeId_t nvtxRangeStartW(const wchar_t*) { return 0; }
WHARF_NO_PROFILER nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t*) { return 0; }
WHARF_NO_PROFILER void nvtxRangeEnd(nvtxRangeId_t) {}
WHARF_NO_PROFILER void nvtxNameCategoryA(uint32_t, const char*) {}
WHARF_NO_PROFILER void nvtxNameCategoryW(uint32_t, const wchar_t*) {}
WHARF_NO_PROFILER void nvtxNameOsThreadA(uint32_t, const char*) {}
WHARF_NO_PROFILER void nvtxNameOsThreadW(uint32_t, const wchar_t*) {}
WHARF_NO_PROFILER nvtxDomainHandle_t nvtxDomainCreateA(const char*) { return NULL; }
WHARF_NO_PROFILER nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t*) { return NULL; }
WHARF_NO_PROFILER void nvtxDomainDestroy(nvtxDomainHandle_t) {}
WHARF_NO_PROFILER nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t, const char*) { return NULL; }
WHARF_NO_PROFILER nvtxStringHandle_t nvtxDomainRegisterStringW(nvtxDomainHandle_t, const wchar_t*) { return NULL; }
WHARF_NO_PROFILER void nvtxDomainNameCategoryA(nvtxDomainHandle_t, uint32_t, const char*) {}
WHARF_NO_PROFILER void nvtxDomainNameCategoryW(nvtxDomainHandle_t, uint32_t, const wchar_t*) {}
WHARF_NO_PROFILER void nvtxDomainMarkEx(nvtxDomainHandle_t, const nvtxEventAttributes_t*) {}
WHARF_NO_PROFILER int nvtxDomainRangePushEx(nvtxDomainHandle_t, const nvtxEventAttributes_t*) { return NVTX_NO_PUSH_POP_TRACKING; }
WHARF_NO_PROFILER int nvtxDomainRangePop(nvtxDomainHandle_t) { return NVTX_NO_PUSH_POP_TRACKING; }
WHARF_NO_PROFILER nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t, const nvtxEventAttributes_t*) { return 0; }
WHARF_NO_PROFILER void nvtxDomainRangeEnd(nvtxDomainHandle_t, nvtxRangeId_t) {}
#undef WHARF_NO_PROFILER

#if defined(UNICODE)
#define nvtxMark nvtxMarkW
#define nvtxRangePush nvtxRangePushW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxDomainCreate nvtxDomainCreateW
#define nvtxDomainRegisterString nvtxDomainRegisterStringW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#endif
