// Writes the part of ICU's data that Perilune uses: trim-icu.swift WHOLE TRIMMED
//
// Swift's runtime brings 34 MB of ICU's data. Most of it is names of regions, currencies and units, conversions between
// charsets, time zones, and dictionaries of words. Perilune compares and folds texts and matches regular expressions. So it
// keeps normalization, the names of characters, the breaks between characters and words, and the one collation that Foundation
// uses on Linux, where the current locale is always en_001.
//
// Both files are packages as ICU's "CmnD" format has them: a header, a table of contents with the offsets of names and
// items in the order of the names, the names, the items. Offsets count from the end of the header.

import Foundation

/// Whether an item is kept; `name` is without the name of the package before it.
func isKept(_ name: Substring) -> Bool {
  let parts = name.split(separator: "/")
  return switch parts.count {
  case 1:
    name.hasSuffix(".nrm") || name.hasSuffix(".icu")
      || [
        "root.res", "en.res", "pool.res", "res_index.res", "icustd.res", "icuver.res", "keyTypeData.res",
        "likelySubtags.res", "numberingSystems.res", "supplementalData.res",
      ].contains(name)
  case 2 where parts[0] == "coll":
    ["root.res", "res_index.res", "pool.res", "ucadata.icu"].contains(parts[1]) || parts[1].hasPrefix("en")
  case 2 where parts[0] == "brkitr":
    ["root.res", "res_index.res", "pool.res", "char.brk", "word.brk"].contains(parts[1])
  default: false
  }
}

/// The package with only the items that are kept, or nil if it has another format.
func trimmed(_ package: Data) -> Data? {
  guard package.count > 1024, package[2..<4] == Data([0xDA, 0x27]), package[12..<16] == Data("CmnD".utf8) else {
    return nil
  }
  func number(at place: Int) -> Int { (0..<4).reduce(0) { $0 | Int(package[place + $1]) << (8 * $1) } }
  func bytes(of number: Int) -> Data { Data((0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }) }

  let header = Int(package[0]) | Int(package[1]) << 8
  let count = number(at: header)
  func start(of index: Int) -> Int { index < count ? header + number(at: header + 8 + 8 * index) : package.count }
  let kept: [(name: Data, item: Data)] = (0..<count).compactMap { index in
    let name = package[(header + number(at: header + 4 + 8 * index))...].prefix { $0 != 0 }
    let text = String(decoding: name, as: UTF8.self)
    guard let slash = text.firstIndex(of: "/"), isKept(text[text.index(after: slash)...]) else { return nil }
    return (name + [0], package[start(of: index)..<start(of: index + 1)])
  }

  // Items begin at multiples of 16 of the file, as in the original.
  func padding(_ length: Int) -> Data { Data(count: -(header + length) & 15) }
  var (contents, names, items) = (bytes(of: kept.count), Data(), Data())
  let namesStart = 4 + 8 * kept.count
  let namesEnd = namesStart + kept.reduce(0) { $0 + $1.name.count }
  let itemsStart = namesEnd + padding(namesEnd).count
  for (name, item) in kept {
    contents += bytes(of: namesStart + names.count) + bytes(of: itemsStart + items.count)
    names += name
    items += item + padding(itemsStart + items.count + item.count)
  }
  return package[..<header] + contents + names + padding(namesEnd) + items
}

func fail(_ status: Int32, _ sentence: String) -> Never {
  FileHandle.standardError.write(Data("\(sentence)\n".utf8))
  exit(status)
}

let arguments = CommandLine.arguments
guard arguments.count == 3 else { fail(64, "usage: trim-icu.swift WHOLE TRIMMED") }
guard let part = trimmed(try Data(contentsOf: URL(fileURLWithPath: arguments[1]))) else {
  fail(65, "\(arguments[1]) is no package of ICU's data")
}
try part.write(to: URL(fileURLWithPath: arguments[2]))
