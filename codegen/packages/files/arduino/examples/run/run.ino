// Calls the net again and again, with zeros, and prints what a call takes. Put samples in the inputs.
#include <@prefix@.h>
#include <string.h>

@memory@

static void show(const char *name, double first) {
  Serial.print(name);
  Serial.print(": ");
  Serial.println(first);
}

@run@

void setup() { Serial.begin(115200); }

void loop() {
  unsigned long begin = micros();
  int status = run_once();
  Serial.print(@prefix@_status_text(status));
  Serial.print(", microseconds: ");
  Serial.println(micros() - begin);
  delay(1000);
}
