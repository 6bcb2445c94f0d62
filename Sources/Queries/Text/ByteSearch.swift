internal import Foundation
internal import Modeling

/// Bytes to be found in texts, in time that is linear in the text's.
struct ByteSearch {
  private let wanted: [UInt8]
  /// How many bytes of the pattern still fit after a mismatch behind each of its places (Knuth, Morris and Pratt); empty for
  /// a short pattern, which is just tried wherever its first byte stands.
  private let fallbacks: [Int32]

  /// Up to how many bytes trying costs less.
  private static let shortest = 16
  /// How many bytes are looked at between two questions whether to stop.
  private static let stride = 1 << 16

  init(_ wanted: [UInt8]) {
    self.wanted = wanted
    fallbacks = wanted.count <= Self.shortest ? [] : Self.fallbacks(of: wanted)
  }

  private static func fallbacks(of wanted: [UInt8]) -> [Int32] {
    var fallbacks = [Int32](repeating: 0, count: wanted.count)
    var fitting = 0
    for index in 1..<wanted.count {
      while fitting > 0, wanted[index] != wanted[fitting] { fitting = Int(fallbacks[fitting - 1]) }
      if wanted[index] == wanted[fitting] { fitting += 1 }
      fallbacks[index] = Int32(truncatingIfNeeded: fitting)
    }
    return fallbacks
  }

  /// Whether the bytes stand anywhere in `text`.
  ///
  /// - Throws: `EvaluationInterrupted`.
  func isFound(in text: UnsafeBufferPointer<UInt8>) throws -> Bool {
    guard let first = wanted.first else { return true }
    guard let base = text.baseAddress, text.count >= wanted.count else { return false }
    return try wanted.withUnsafeBufferPointer { wanted in
      try fallbacks.isEmpty ? Self.trying(wanted, first, base, text.count) : following(wanted, first, base, text.count)
    }
  }

  /// Goes by the first byte, which memchr finds many bytes at a time; memmem is hidden from Swift on Linux.
  private static func trying(
    _ wanted: UnsafeBufferPointer<UInt8>, _ first: UInt8, _ base: UnsafePointer<UInt8>, _ count: Int
  ) throws -> Bool {
    guard let pattern = wanted.baseAddress else { return true }
    var start = base
    var tries = 0
    let end = base + count
    while end - start >= wanted.count,
      let found = memchr(start, Int32(first), end - start - wanted.count + 1)
    {
      if memcmp(found, pattern, wanted.count) == 0 { return true }
      start = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) + 1
      tries += 1
      if tries & (stride - 1) == 0 { try Interruption.check() }
    }
    return false
  }

  private func following(
    _ wanted: UnsafeBufferPointer<UInt8>, _ first: UInt8, _ base: UnsafePointer<UInt8>, _ count: Int
  ) throws -> Bool {
    try fallbacks.withUnsafeBufferPointer { fallbacks in
      var (index, fitting, steps) = (0, 0, 0)
      while index < count {
        steps += 1
        if steps & (Self.stride - 1) == 0 { try Interruption.check() }
        if fitting == 0 {
          guard let found = memchr(base + index, Int32(first), count - index) else { return false }
          index = UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
          fitting = 1
          continue
        }
        if base[index] == wanted[fitting] {
          (index, fitting) = (index + 1, fitting + 1)
          if fitting == wanted.count { return true }
        } else {
          fitting = Int(fallbacks[fitting - 1])
        }
      }
      return false
    }
  }
}
