// libFuzzer target: OBJ files of any bytes. What is read holds together.
#include "meshio/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return try_reader(meshio_read_obj, data, size);
}
