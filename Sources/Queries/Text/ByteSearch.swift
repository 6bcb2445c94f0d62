internal import Foundation
internal import Modeling

/// Searches for bytes in texts, in time linear in the text's length.
struct ByteSearch {
  private let wanted: [UInt8]
  /// The failure function of Knuth, Morris and Pratt: how many bytes of the pattern still match after a mismatch at
  /// each position. Empty for a short pattern, which is tried at each occurrence of its first byte.
  private let fallbacks: [Int32]

  /// Up to this length, trying is faster.
  private static let shortest = 16
  /// The number of bytes between two polls for interruption.
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

  /// Whether `text` contains the bytes.
  ///
  /// - Throws: `EvaluationInterrupted`.
  func isFound(in text: UnsafeBufferPointer<UInt8>) throws -> Bool {
    guard let first = wanted.first else { return true }
    guard let base = text.baseAddress, text.count >= wanted.count else { return false }
    return try wanted.withUnsafeBufferPointer { wanted in
      try fallbacks.isEmpty ? Self.trying(wanted, first, base, text.count) : following(wanted, first, base, text.count)
    }
  }

  /// Searches for the first byte with memchr, which scans many bytes at a time; memmem is hidden from Swift on Linux.
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
