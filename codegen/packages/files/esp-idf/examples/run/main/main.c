/* Calls the net once, with zeros. Put samples in the inputs. */
#include "@prefix@.h"

#include <stdio.h>
#include <string.h>

@memory@

static void show(const char *name, double first) { printf("%s: %d thousandths\n", name, (int)(first * 1000)); }

@run@

void app_main(void) {
  int status = run_once();
  printf("@prefix@: %s\n", @prefix@_status_text(status));
}
