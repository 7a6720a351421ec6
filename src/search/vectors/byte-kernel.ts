/**
 * The dot products of one vector of bytes with many, sixteen at a time. As in `dot-kernel`, the code is
 * written down as the bytes of a WebAssembly module.
 */
import { createKernel, type Kernel } from './kernel.js';

export type ByteKernel = Kernel<Int8Array>;

/** Bytes in one SIMD register. */
export const BYTE_LANES = 16;

/** `x` walks along the query while `row` walks on through the whole matrix. */
const CODE = `
  00 61 73 6d 01 00 00 00                   ;; (module
  01 09 01 60 05 7f 7f 7f 7f 7f 00          ;;   (type (func (param i32 i32 i32 i32 i32)))
  03 02 01 00                               ;;   function 0 has type 0
  05 03 01 00 01                            ;;   (memory 1)
  07 11 02                                  ;;   two exports:
    06 6d 65 6d 6f 72 79 02 00              ;;     (export "memory" (memory 0))
    04 64 6f 74 73 00 00                    ;;     (export "dots" (func 0))
  0a 9d 01 01 9a 01                         ;;   (func (param $query i32) (param $row i32)
                                            ;;     (param $rows i32) (param $width i32) (param $out i32)
  02  02 7f  01 7b                          ;;     (local $x $left i32) (local $sum v128)
  02 40                                     ;;     block
    20 02 45 0d 00                          ;;       (br_if 0 (i32.eqz $rows))
    03 40                                   ;;       loop                      ;; each row
      41 00 fd 11 21 07                     ;;         (set $sum (i32x4.splat (i32.const 0)))
      20 00 21 05                           ;;         (set $x $query)
      20 03 21 06                           ;;         (set $left $width)
      03 40                                 ;;         loop                    ;; sixteen bytes
        20 07                               ;;           get $sum
        20 01 fd 00 04 00 fd 87 01          ;;           (i16x8.extend_low_i8x16_s (v128.load $row))
        20 05 fd 00 04 00 fd 87 01          ;;           (i16x8.extend_low_i8x16_s (v128.load $x))
        fd ba 01 fd ae 01                   ;;           i32x4.dot_i16x8_s i32x4.add
        20 01 fd 00 04 00 fd 88 01          ;;           (i16x8.extend_high_i8x16_s (v128.load $row))
        20 05 fd 00 04 00 fd 88 01          ;;           (i16x8.extend_high_i8x16_s (v128.load $x))
        fd ba 01 fd ae 01 21 07             ;;           i32x4.dot_i16x8_s i32x4.add set $sum
        20 01 41 10 6a 21 01                ;;           (set $row (i32.add $row (i32.const 16)))
        20 05 41 10 6a 21 05                ;;           (set $x (i32.add $x (i32.const 16)))
        20 06 41 10 6b 22 06 0d 00          ;;           (br_if 0 (tee $left (i32.sub $left (i32.const 16))))
      0b                                    ;;         end
      20 04                                 ;;         get $out
      20 07 fd 1b 00 20 07 fd 1b 01 6a      ;;         (i32.add (i32x4.extract_lane 0 $sum) (… 1 $sum))
      20 07 fd 1b 02 6a                     ;;         (i32.add (… 2 $sum))
      20 07 fd 1b 03 6a                     ;;         (i32.add (… 3 $sum))
      b2 38 02 00                           ;;         f32.convert_i32_s f32.store
      20 04 41 04 6a 21 04                  ;;         (set $out (i32.add $out (i32.const 4)))
      20 02 41 01 6b 22 02 0d 00            ;;         (br_if 0 (tee $rows (i32.sub $rows (i32.const 1))))
    0b                                      ;;       end
  0b                                        ;;     end
  0b                                        ;;   end))
`;

export function createByteKernel(engine?: Parameters<typeof createKernel>[1]): ByteKernel {
  return createKernel({ code: CODE, view: (memory) => new Int8Array(memory) }, engine);
}
