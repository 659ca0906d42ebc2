/* Calls every function of librtcrt: first with arguments that are wrong, then, unless the argument is `mistakes`, on a device. */

#include "stage.h"

int main(int count, char **arguments) {
    static struct stage stage, other;
    mistakes();
    descriptions();
    if (count < 2 || strcmp(arguments[1], "mistakes") != 0) {
        bool watched = count > 1 && strcmp(arguments[1], "watched") == 0;
        stage_open(&stage, watched);
        libraries(&stage);
        pipelines(&stage);
        dispatches(&stage);
        specialisation(&stage);
        forms(&stage);
        structures(&stage);
        indirect(&stage);
        descriptor_buffers(&stage);
        on_host(&stage);
        newer(&stage);
        /* The layer knows which extensions the device really has. */
        if (!watched) {
            on_mock(&stage);
        }
        memory(&stage);
        host_memory(&stage);
        stage_open(&other, false);
        strangers(&stage, &other);
        stage_close(&other);
        stage_close(&stage);
    }
    printf("rtcrt %s: all is well\n", rtcrt_version());
    return 0;
}
