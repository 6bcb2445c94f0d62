import Foundation

/// The pieces of Swift in documents that stand beside the repository: they are read where they are at hand, and never copied.
enum DocumentSource {
  /// `../shared/seeds`, beside the repository's folder.
  static let folder: String = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<5 { url.deleteLastPathComponent() }
    return url.appendingPathComponent("shared/seeds").path
  }()

  static var areThere: Bool { FileManager.default.fileExists(atPath: folder) }

  /// The texts of all documents, by their names.
  static func documents() throws -> [(name: String, text: String)] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".txt") }.sorted()
    return try names.map { ($0, try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)) }
  }

  /// The pieces of Swift of a text: from a line that begins like Swift to where its brackets are closed, and what follows
  /// without prose between.
  static func pieces(of text: String) -> [String] {
    var pieces: [String] = []
    var piece: [String] = []
    var depth = 0
    func end() {
      while piece.last?.allSatisfy(\.isWhitespace) == true { piece.removeLast() }
      if !piece.isEmpty { pieces.append(piece.joined(separator: "\n")) }
      piece = []
      depth = 0
    }
    for whole in text.replacing("\\_", with: "_").split(separator: "\n", omittingEmptySubsequences: false) {
      let line = whole.drop { $0 == " " }
      if depth == 0 {
        if line.isEmpty {
          if !piece.isEmpty { piece.append("") }
          continue
        }
        let isComment = line.hasPrefix("//")
        let begins = line.firstMatch(of: beginning) != nil
        if isComment, piece.contains(where: { !$0.drop { $0 == " " }.hasPrefix("//") }) { end() }
        if !begins, !isComment, piece.isEmpty || line.firstMatch(of: continuation) == nil {
          end()
          continue
        }
      }
      let (code, isCut) = code(of: whole, &depth)
      piece.append(code)
      if isCut { end() }
    }
    end()
    return pieces
  }

  private static var beginning: Regex<Substring> {
    #/^(?:@(?:FetchRequest|SectionedFetchRequest|Query|Namespace|State|Observable|Bindable)(?:\(|<|$| private| var)|(?:struct|class|extension) \w+(?:: ?\w+)? ?\{|init\(|let \w+ =|private var|\.onChange\(|withAnimation\(|sortDescriptors: \[|if \w+ ==|(?:List|ForEach|Table|Button|TextField|Toggle|VStack|NavigationStack|Rectangle|ContentView)\b ?[({])/#
  }

  private static var continuation: Regex<Substring> { #/^(?:\.\w+\(|(?:private )?var \w+|class \w+ \{)/# }

  /// The code of a line up to prose that was set behind it without a space.
  private static func code(of line: Substring, _ depth: inout Int) -> (String, isCut: Bool) {
    var isInText = false
    var index = line.startIndex
    while index < line.endIndex {
      let character = line[index]
      let rest = line[line.index(after: index)...]
      if isInText {
        if character == "\\" { index = line.index(after: index) }
        if character == "\"" { isInText = false }
      } else if character == "/", rest.first == "/" {
        return (String(line), false)
      } else if character == "\"" {
        isInText = true
      } else if "([{".contains(character) {
        depth += 1
      } else if ")]}".contains(character) {
        depth -= 1
        if depth == 0, rest.prefixMatch(of: #/(?:\d|- |[A-Z][a-z]+ )/#) != nil { return (String(line[...index]), true) }
      }
      guard index < line.endIndex else { break }
      index = line.index(after: index)
    }
    if depth == 0,
      let match = line.prefixMatch(of: #/(.*(?:FetchedResults<\w+>|\[\w+\]|var namespace))(?:\d\.\d |- ).*/#)
    {
      return (String(match.1), true)
    }
    return (String(line), false)
  }
}
