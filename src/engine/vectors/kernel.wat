;; The inner loops of vector search, over one private memory that blocks of rows are copied into (kernel.ts has its layout).
;; fallback.ts computes the same bits in TypeScript: change both together. Assembled by scripts/build-kernel.ts.
(module
  (memory (export "memory") 6 6)

  ;; Of one scan: rows up to this distance are kept, so many have been, so many are wanted, and counts by distance.
  (global $threshold (export "threshold") (mut i32) (i32.const 0))
  (global $within (mut i32) (i32.const 0))
  (global $wanted (mut i32) (i32.const 0))
  (global $histogram (mut i32) (i32.const 0))

  (func (export "begin") (param $histogram i32) (param $distances i32) (param $wanted i32)
    (global.set $histogram (local.get $histogram))
    (global.set $threshold (local.get $distances))
    (global.set $wanted (local.get $wanted))
    (global.set $within (i32.const 0))
    (memory.fill
      (local.get $histogram)
      (i32.const 0)
      (i32.shl (i32.add (local.get $distances) (i32.const 1)) (i32.const 2))))

  ;; Notes one row (its place in the block and its distance) and lowers the threshold as far as enough rows stay within.
  (func $keep (param $place i32) (param $distance i32) (param $out i32)
    (local $at i32) (local $count i32)
    (i32.store (local.get $out) (i32.or (local.get $place) (i32.shl (local.get $distance) (i32.const 16))))
    (local.set $at (i32.add (global.get $histogram) (i32.shl (local.get $distance) (i32.const 2))))
    (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 1)))
    (global.set $within (i32.add (global.get $within) (i32.const 1)))
    (block $done
      (loop $lower
        (local.set $count
          (i32.load (i32.add (global.get $histogram) (i32.shl (global.get $threshold) (i32.const 2)))))
        (br_if $done
          (i32.lt_u (i32.sub (global.get $within) (local.get $count)) (global.get $wanted)))
        (global.set $within (i32.sub (global.get $within) (local.get $count)))
        (global.set $threshold (i32.sub (global.get $threshold) (i32.const 1)))
        (br $lower))))

  (func $distance (param $row i32) (param $query i32) (param $words i32) (result i32)
    (local $sum i64)
    (block $rest
      (loop $six
        (br_if $rest (i32.lt_u (local.get $words) (i32.const 6)))
        (local.set $sum
          (i64.add
            (local.get $sum)
            (i64.add
              (i64.add
                (i64.add
                  (i64.popcnt (i64.xor (i64.load (local.get $row)) (i64.load (local.get $query))))
                  (i64.popcnt (i64.xor (i64.load offset=8 (local.get $row)) (i64.load offset=8 (local.get $query)))))
                (i64.add
                  (i64.popcnt (i64.xor (i64.load offset=16 (local.get $row)) (i64.load offset=16 (local.get $query))))
                  (i64.popcnt (i64.xor (i64.load offset=24 (local.get $row)) (i64.load offset=24 (local.get $query))))))
              (i64.add
                (i64.popcnt (i64.xor (i64.load offset=32 (local.get $row)) (i64.load offset=32 (local.get $query))))
                (i64.popcnt (i64.xor (i64.load offset=40 (local.get $row)) (i64.load offset=40 (local.get $query))))))))
        (local.set $row (i32.add (local.get $row) (i32.const 48)))
        (local.set $query (i32.add (local.get $query) (i32.const 48)))
        (local.set $words (i32.sub (local.get $words) (i32.const 6)))
        (br $six)))
    (block $end
      (loop $one
        (br_if $end (i32.eqz (local.get $words)))
        (local.set $sum
          (i64.add (local.get $sum) (i64.popcnt (i64.xor (i64.load (local.get $row)) (i64.load (local.get $query))))))
        (local.set $row (i32.add (local.get $row) (i32.const 8)))
        (local.set $query (i32.add (local.get $query) (i32.const 8)))
        (local.set $words (i32.sub (local.get $words) (i32.const 1)))
        (br $one)))
    (i32.wrap_i64 (local.get $sum)))

  ;; Rows of six words, all of them: the query stays in registers. `place` is that of the first row.
  (func $scanSix (param $row i32) (param $place i32) (param $count i32) (param $query i32) (param $out i32) (result i32)
    (local $q0 i64) (local $q1 i64) (local $q2 i64) (local $q3 i64) (local $q4 i64) (local $q5 i64)
    (local $end i32) (local $sum i32)
    (local.set $q0 (i64.load (local.get $query)))
    (local.set $q1 (i64.load offset=8 (local.get $query)))
    (local.set $q2 (i64.load offset=16 (local.get $query)))
    (local.set $q3 (i64.load offset=24 (local.get $query)))
    (local.set $q4 (i64.load offset=32 (local.get $query)))
    (local.set $q5 (i64.load offset=40 (local.get $query)))
    (local.set $end (i32.add (local.get $row) (i32.mul (local.get $count) (i32.const 48))))
    (loop $rows
      (local.set $sum
        (i32.wrap_i64
          (i64.add
            (i64.add
              (i64.add
                (i64.popcnt (i64.xor (i64.load (local.get $row)) (local.get $q0)))
                (i64.popcnt (i64.xor (i64.load offset=8 (local.get $row)) (local.get $q1))))
              (i64.add
                (i64.popcnt (i64.xor (i64.load offset=16 (local.get $row)) (local.get $q2)))
                (i64.popcnt (i64.xor (i64.load offset=24 (local.get $row)) (local.get $q3)))))
            (i64.add
              (i64.popcnt (i64.xor (i64.load offset=32 (local.get $row)) (local.get $q4)))
              (i64.popcnt (i64.xor (i64.load offset=40 (local.get $row)) (local.get $q5)))))))
      (if (i32.le_u (local.get $sum) (global.get $threshold))
        (then
          (call $keep (local.get $place) (local.get $sum) (local.get $out))
          (local.set $out (i32.add (local.get $out) (i32.const 4)))))
      (local.set $place (i32.add (local.get $place) (i32.const 1)))
      (local.set $row (i32.add (local.get $row) (i32.const 48)))
      (br_if $rows (i32.lt_u (local.get $row) (local.get $end))))
    (local.get $out))

  ;; Scans a block of rows of bits; `live` has a bit for each, in whole words of 32, none of them beyond the block. Returns
  ;; the end of what it wrote to `out`: place and distance (16 bits each) of the rows within the threshold at their turn.
  (func (export "scan")
    (param $rows i32) (param $words i32) (param $live i32) (param $liveWords i32) (param $query i32) (param $out i32)
    (result i32)
    (local $mask i32) (local $stride i32) (local $place i32) (local $bit i32) (local $sum i32)
    (local.set $stride (i32.shl (local.get $words) (i32.const 3)))
    (loop $next
      (local.set $mask (i32.load (local.get $live)))
      (if (i32.and (i32.eq (local.get $mask) (i32.const -1)) (i32.eq (local.get $words) (i32.const 6)))
        (then
          (local.set $out
            (call $scanSix
              (local.get $rows) (local.get $place) (i32.const 32) (local.get $query) (local.get $out))))
        (else
          (block $none
            (loop $bits
              (br_if $none (i32.eqz (local.get $mask)))
              (local.set $bit (i32.ctz (local.get $mask)))
              (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
              (local.set $sum
                (call $distance
                  (i32.add (local.get $rows) (i32.mul (local.get $bit) (local.get $stride)))
                  (local.get $query)
                  (local.get $words)))
              (if (i32.le_u (local.get $sum) (global.get $threshold))
                (then
                  (call $keep (i32.add (local.get $place) (local.get $bit)) (local.get $sum) (local.get $out))
                  (local.set $out (i32.add (local.get $out) (i32.const 4)))))
              (br $bits)))))
      (local.set $rows (i32.add (local.get $rows) (i32.shl (local.get $stride) (i32.const 5))))
      (local.set $place (i32.add (local.get $place) (i32.const 32)))
      (local.set $live (i32.add (local.get $live) (i32.const 4)))
      (br_if $next (local.tee $liveWords (i32.sub (local.get $liveWords) (i32.const 1)))))
    (local.get $out))

  ;; Component i is added into lane i mod 16; then lanes eight apart are added, four apart, two apart, and the last two.
  (func $dot (param $row i32) (param $query i32) (param $bytes i32) (result f32)
    (local $end i32) (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $end (i32.add (local.get $row) (local.get $bytes)))
    (loop $sixteen
      (local.set $a
        (f32x4.add (local.get $a) (f32x4.mul (v128.load (local.get $row)) (v128.load (local.get $query)))))
      (local.set $b
        (f32x4.add
          (local.get $b) (f32x4.mul (v128.load offset=16 (local.get $row)) (v128.load offset=16 (local.get $query)))))
      (local.set $c
        (f32x4.add
          (local.get $c) (f32x4.mul (v128.load offset=32 (local.get $row)) (v128.load offset=32 (local.get $query)))))
      (local.set $d
        (f32x4.add
          (local.get $d) (f32x4.mul (v128.load offset=48 (local.get $row)) (v128.load offset=48 (local.get $query)))))
      (local.set $query (i32.add (local.get $query) (i32.const 64)))
      (br_if $sixteen
        (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 64))) (local.get $end))))
    (local.set $a (f32x4.add (f32x4.add (local.get $a) (local.get $c)) (f32x4.add (local.get $b) (local.get $d))))
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 2 (local.get $a)))
      (f32.add (f32x4.extract_lane 1 (local.get $a)) (f32x4.extract_lane 3 (local.get $a)))))

  ;; Dot products of a block of rows with the query.
  (func (export "dots") (param $rows i32) (param $bytes i32) (param $count i32) (param $query i32) (param $out i32)
    (loop $next
      (f32.store (local.get $out) (call $dot (local.get $rows) (local.get $query) (local.get $bytes)))
      (local.set $rows (i32.add (local.get $rows) (local.get $bytes)))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br_if $next (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))

  ;; A bit for each component that is greater than the centre's; `scaled`, than the centre's times the length of the row.
  (func (export "signs")
    (param $rows i32) (param $bytes i32) (param $count i32) (param $centre i32) (param $scaled i32) (param $out i32)
    (param $words i32)
    (local $end i32) (local $at i32) (local $to i32) (local $scale v128)
    (local.set $scale (f32x4.splat (f32.const 1)))
    (loop $next
      (local.set $end (i32.add (local.get $rows) (local.get $bytes)))
      (local.set $at (local.get $centre))
      (local.set $to (local.get $out))
      (local.set $out (i32.add (local.get $out) (i32.shl (local.get $words) (i32.const 3))))
      (i64.store (i32.sub (local.get $out) (i32.const 8)) (i64.const 0))
      (if (local.get $scaled)
        (then
          (local.set $scale
            (f32x4.splat (f32.sqrt (call $dot (local.get $rows) (local.get $rows) (local.get $bytes)))))))
      (loop $sixteen
        (i32.store16
          (local.get $to)
          (i32.or
            (i32.or
              (i32x4.bitmask
                (f32x4.gt
                  (v128.load (local.get $rows)) (f32x4.mul (v128.load (local.get $at)) (local.get $scale))))
              (i32.shl
                (i32x4.bitmask
                  (f32x4.gt
                    (v128.load offset=16 (local.get $rows))
                    (f32x4.mul (v128.load offset=16 (local.get $at)) (local.get $scale))))
                (i32.const 4)))
            (i32.or
              (i32.shl
                (i32x4.bitmask
                  (f32x4.gt
                    (v128.load offset=32 (local.get $rows))
                    (f32x4.mul (v128.load offset=32 (local.get $at)) (local.get $scale))))
                (i32.const 8))
              (i32.shl
                (i32x4.bitmask
                  (f32x4.gt
                    (v128.load offset=48 (local.get $rows))
                    (f32x4.mul (v128.load offset=48 (local.get $at)) (local.get $scale))))
                (i32.const 12)))))
        (local.set $to (i32.add (local.get $to) (i32.const 2)))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br_if $sixteen
          (i32.lt_u (local.tee $rows (i32.add (local.get $rows) (i32.const 64))) (local.get $end))))
      (br_if $next (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))))
