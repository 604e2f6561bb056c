#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Simulates a controller with gains x = (kp, kd) that moves a cart on a spring to a new position.
# Takes one or two milliseconds. Reads lines such as {"id":1,"x":[4,2]} and answers
# {"id":1,"value":…}. The value is 1 / (1 + e), where e is the time-weighted error over ten seconds;
# 1 would be perfect.
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
