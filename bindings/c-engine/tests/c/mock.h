/* Extensions that no device here has, before a real device: functions that note that they were called. */
#ifndef MOCK_H
#define MOCK_H

#include "stage.h"

/* What the functions tell. */
enum { MOCK_RESULT = 1024, MOCK_SCRATCH = 512, MOCK_SERIALIZED = 64, MOCK_LEVEL = 8 };

/* The name of the extension's function that was called last. */
extern const char *mock_called;

/* The device of a stage, with extensions that it does not have. One at a time. */
rtcrt_device *mock_device(struct stage *s);

#endif
