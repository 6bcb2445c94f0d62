import Postgres
import TestSupport
import Testing

/// Bytes of a server that is broken, or none, are read as nothing, and end nothing.
struct DecodingFuzzTests {
  static let types: [UInt32] = [
    0, 16, 17, 18, 20, 21, 23, 25, 26, 114, 700, 701, 1042, 1082, 1083, 1114, 1184, 1186, 1266, 1700, 2950, 3802, 1000,
    1001, 1007, 1009, 1016, 1231, 3807, 99_999,
  ]

  @Test(.seeded) func randomBytesAreReadWithoutHarm() {
    var random = SplitMix(seed: 21)
    var count = 0
    for _ in 0..<Effort.rounds(20_000) {
      let interesting: [UInt8] = [0, 0, 0, 1, 2, 4, 0x40, 0x7F, 0x80, 0xC0, 0xD0, 0xF0, 0xFF]
      var bytes = (0..<random.below(40)).map { _ in
        random.chance(oneIn: 3) ? UInt8(random.below(256)) : random.pick(interesting)
      }
      // Heads of arrays that announce what is not there.
      if random.chance(oneIn: 4) { bytes = [0, 0, 0, UInt8(random.below(8)), 0, 0, 0, 0, 0, 0, 6, 0xA4] + bytes }
      let type = random.pick(Self.types)
      bytes.withUnsafeBytes { buffer in
        for isText in [false, true] {
          let field = PostgresField(bytes: buffer, typeOID: type, isText: isText)
          count += field.text.utf8.count
          count += field.int == nil ? 0 : 1
          count += field.double == nil ? 0 : 1
          count += field.bool == nil ? 0 : 1
          count += field.numericText?.utf8.count ?? 0
          count += field.microsecondsSince2000 == nil ? 0 : 1
          count += field.daysSince2000 == nil ? 0 : 1
          count += field.microsecondsOfDay == nil ? 0 : 1
          count += field.interval?.text.utf8.count ?? 0
          count += field.uuidText?.utf8.count ?? 0
          count += field.jsonText?.utf8.count ?? 0
          for element in field.array?.elements ?? [] { count += element?.text.utf8.count ?? 0 }
        }
      }
    }
    #expect(count > 0)
  }
}
