#!/bin/sh
# Settling of a cart on a spring, pushed to a new place by a controller with the gains x = (kp, kd):
# a simulator that takes a millisecond or two. Reads {"id":1,"x":[4,2]}, answers {"id":1,"value":…}
# with 1 / (1 + the time-weighted error of ten seconds): 1 would be perfect.
while read -r line; do
  printf '%s\n' "$line" | awk '{
    split($0, part, /[][{}:,]+/)   # "id" number "x" kp kd
    id = part[3]; kp = part[5] + 0; kd = part[6] + 0
    position = 0; speed = 0; error = 0; step = 0.01
    for (i = 0; i < 1000; i++) {
      force = kp * (1 - position) - kd * speed
      if (force > 10) force = 10
      if (force < -10) force = -10
      speed += step * (force - 0.4 * speed - 0.5 * position)
      position += step * speed
      gap = position > 1 ? position - 1 : 1 - position
      error += step * i * step * gap
    }
    printf "{\"id\":%d,\"value\":%.15g}\n", id, 1 / (1 + error)
  }'
done
