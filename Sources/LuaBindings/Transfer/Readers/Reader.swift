internal import Glibc

/// A program that reads files of a kind and writes their rows to its standard output, as JSON or CSV.
public struct Reader: Hashable, Sendable {
  /// The suffix of the files, such as `parquet`, or the scheme of addresses, such as `https:`.
  public let kind: String
  /// The program and its arguments. The word `FILE` stands for the file, whose name the program also has in its environment,
  /// as `PERILUNE_FILE`.
  public let words: [String]

  /// Creates a reader; the first word is the program.
  public init(_ kind: String, _ words: [String]) { (self.kind, self.words) = (kind, words) }

  static let file = "FILE"
  static let variable = "PERILUNE_FILE"

  /// Whether the program is on the PATH.
  public var isThere: Bool { program != nil }

  /// The path of the program; nil if it is not on the PATH.
  var program: String? {
    guard let program = words.first else { return nil }
    if program.contains("/") { return access(program, X_OK) == 0 ? program : nil }
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }

  /// The readers that need no setting. Of a kind, the first whose program is there counts.
  public static let known = [
    Reader(
      "parquet", ["duckdb", "-init", "/dev/null", "-jsonlines", "-c", "FROM read_parquet(getenv('\(variable)'))"]),
    Reader("parquet", ["pqrs", "cat", "--json", file]),
    Reader("dkvp", ["mlr", "--idkvp", "--ojsonl", "cat", file]),
    Reader("xtab", ["mlr", "--ixtab", "--ojsonl", "cat", file]),
    Reader("bz2", ["bzip2", "-dc", file]),
    Reader("xz", ["xz", "-dc", file]),
    Reader("zst", ["zstd", "-dcq", file]),
    Reader("http:", ["curl", "-sSfL", file]),
    Reader("https:", ["curl", "-sSfL", file]),
  ]

  /// The kind of a file or an address by its name; nil for a name without a suffix.
  static func kind(of path: String) -> String? {
    // The first search for a text takes a hundredth of the program's start, which asks for the kind of the store.
    if path.utf8.contains(UInt8(ascii: ":")), let end = path.firstRange(of: "://")?.lowerBound {
      return path[..<end].lowercased() + ":"
    }
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    return name[name.index(after: dot)...].lowercased()
  }

  /// The name of what a program writes: `sales.csv` for `sales.csv.zst`, and for `https://example.com/sales.csv?v=2`.
  static func contentName(of path: String) -> String {
    guard path.contains("://") else {
      return path.lastIndex(of: ".").map { String(path[..<$0]) } ?? path
    }
    let address = path.prefix { $0 != "?" && $0 != "#" }
    return String(address.split(separator: "/").last ?? "")
  }
}
