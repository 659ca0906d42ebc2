/* Holds a file open, as another program does: holder FILE MILLISECONDS. It says `open` when the file is. */
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

int main(int count, char **words) {
    if (count != 3) return 2;
    HANDLE file = CreateFileA(words[1], GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
    if (file == INVALID_HANDLE_VALUE) return 1;
    puts("open");
    fflush(stdout);
    Sleep(atoi(words[2]));
    CloseHandle(file);
    return 0;
}
