import Foundation
import Modeling

/// The requests in the documents that the product implements, in `../shared/seeds` beside the repository's folder.
enum SeedSource {
  private static let folder: String = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { url.deleteLastPathComponent() }
    return url.appendingPathComponent("shared/seeds").path
  }()

  static var areThere: Bool { FileManager.default.fileExists(atPath: folder) }

  /// What a request begins and ends with.
  private static let patterns = [
    #"@FetchRequest\(\s*sortDescriptors[\s\S]*?FetchedResults<\w+>"#,
    #"@FetchRequest\s*private var items: FetchedResults<Item>\s*init\(start[\s\S]*?\n\s*\)\s*\}"#,
    #"extension Item \{[\s\S]*?FetchedResults<Item>"#,
    #"@SectionedFetchRequest(<[^>]*>)?\([\s\S]*?SectionedFetchResults<\w+, \w+>"#,
    #"@Query\(sort[\s\S]*?\[Item\]"#,
  ]

  /// Every request that can be read, as it stands.
  static func pieces() throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".txt") }.sorted()
    return try names.flatMap { name -> [String] in
      let text = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
      return try patterns.flatMap { pattern -> [String] in
        let expression = try NSRegularExpression(pattern: pattern)
        return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap { match in
          Range(match.range, in: text).map { String(text[$0]) }
        }
      }
    }
  }

  /// The entities that the documents speak of.
  static let model: Model = {
    func attribute(_ name: String, _ type: AttributeType) -> Property { .attribute(Attribute(name, type)) }
    do {
      return try Model([
        EntityDescription(
          "Item", properties: [attribute("timestamp", .date), attribute("categoryID", .integer16)]),
        EntityDescription(
          "Quake", properties: [attribute("time", .date), attribute("place", .string), attribute("day", .string)]),
      ])
    } catch {
      preconditionFailure("the model of the documents is wrong: \(error)")
    }
  }()
}
