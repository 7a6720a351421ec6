/**
 * The dot products of one vector with many, four numbers at a time. The code is so small that it is
 * written down as the bytes of a WebAssembly module, with the text format beside each line.
 */
import { createKernel, type Kernel } from './kernel.js';

export type DotKernel = Kernel<Float32Array>;

/** Floats in one SIMD register. */
export const LANES = 4;

/**
 * Sixteen floats a round into four sums, which do not wait for each other; then four a round.
 * `x` walks along the query while `row` walks on through the whole matrix.
 */
const CODE = `
  00 61 73 6d 01 00 00 00                   ;; (module
  01 09 01 60 05 7f 7f 7f 7f 7f 00          ;;   (type (func (param i32 i32 i32 i32 i32)))
  03 02 01 00                               ;;   function 0 has type 0
  05 03 01 00 01                            ;;   (memory 1)
  07 11 02                                  ;;   two exports:
    06 6d 65 6d 6f 72 79 02 00              ;;     (export "memory" (memory 0))
    04 64 6f 74 73 00 00                    ;;     (export "dots" (func 0))
  0a 98 02 01 95 02                         ;;   (func (param $query i32) (param $row i32)
                                            ;;     (param $rows i32) (param $width i32) (param $out i32)
  02  02 7f  04 7b                          ;;     (local $x $left i32) (local $a $b $c $d v128)
  02 40                                     ;;     block
    20 02 45 0d 00                          ;;       (br_if 0 (i32.eqz $rows))
    03 40                                   ;;       loop                      ;; each row
      41 00 fd 11                           ;;         (i32x4.splat (i32.const 0))
      22 07 22 08 22 09 21 0a               ;;         tee $a, tee $b, tee $c, set $d
      20 00 21 05                           ;;         (set $x $query)
      20 03 21 06                           ;;         (set $left $width)
      03 40                                 ;;         loop                    ;; sixteen floats
        20 06 41 10 4f 04 40                ;;           (i32.ge_u $left (i32.const 16)) if
          20 07                             ;;             get $a
          20 01 fd 00 04 00                 ;;             (v128.load $row)
          20 05 fd 00 04 00                 ;;             (v128.load $x)
          fd e6 01 fd e4 01 21 07           ;;             f32x4.mul f32x4.add set $a
          20 08                             ;;             get $b
          20 01 fd 00 04 10                 ;;             (v128.load offset=16 $row)
          20 05 fd 00 04 10                 ;;             (v128.load offset=16 $x)
          fd e6 01 fd e4 01 21 08           ;;             f32x4.mul f32x4.add set $b
          20 09                             ;;             get $c
          20 01 fd 00 04 20                 ;;             (v128.load offset=32 $row)
          20 05 fd 00 04 20                 ;;             (v128.load offset=32 $x)
          fd e6 01 fd e4 01 21 09           ;;             f32x4.mul f32x4.add set $c
          20 0a                             ;;             get $d
          20 01 fd 00 04 30                 ;;             (v128.load offset=48 $row)
          20 05 fd 00 04 30                 ;;             (v128.load offset=48 $x)
          fd e6 01 fd e4 01 21 0a           ;;             f32x4.mul f32x4.add set $d
          20 01 41 c0 00 6a 21 01           ;;             (set $row (i32.add $row (i32.const 64)))
          20 05 41 c0 00 6a 21 05           ;;             (set $x (i32.add $x (i32.const 64)))
          20 06 41 10 6b 21 06              ;;             (set $left (i32.sub $left (i32.const 16)))
          0c 01                             ;;             br 1
        0b                                  ;;           end
      0b                                    ;;         end
      03 40                                 ;;         loop                    ;; four floats
        20 06 04 40                         ;;           $left if
          20 07                             ;;             get $a
          20 01 fd 00 04 00                 ;;             (v128.load $row)
          20 05 fd 00 04 00                 ;;             (v128.load $x)
          fd e6 01 fd e4 01 21 07           ;;             f32x4.mul f32x4.add set $a
          20 01 41 10 6a 21 01              ;;             (set $row (i32.add $row (i32.const 16)))
          20 05 41 10 6a 21 05              ;;             (set $x (i32.add $x (i32.const 16)))
          20 06 41 04 6b 21 06              ;;             (set $left (i32.sub $left (i32.const 4)))
          0c 01                             ;;             br 1
        0b                                  ;;           end
      0b                                    ;;         end
      20 07 20 08 fd e4 01                  ;;         (f32x4.add $a $b)
      20 09 20 0a fd e4 01                  ;;         (f32x4.add $c $d)
      fd e4 01 21 07                        ;;         f32x4.add set $a
      20 04                                 ;;         get $out
      20 07 fd 1f 00 20 07 fd 1f 01 92      ;;         (f32.add (f32x4.extract_lane 0 $a) (… 1 $a))
      20 07 fd 1f 02 20 07 fd 1f 03 92      ;;         (f32.add (f32x4.extract_lane 2 $a) (… 3 $a))
      92 38 02 00                           ;;         f32.add f32.store
      20 04 41 04 6a 21 04                  ;;         (set $out (i32.add $out (i32.const 4)))
      20 02 41 01 6b 22 02                  ;;         (tee $rows (i32.sub $rows (i32.const 1)))
      0d 00                                 ;;         br_if 0
    0b                                      ;;       end
  0b                                        ;;     end
  0b                                        ;;   end))
`;

export function createDotKernel(engine?: Parameters<typeof createKernel>[1]): DotKernel {
  return createKernel({ code: CODE, view: (memory) => new Float32Array(memory) }, engine);
}
