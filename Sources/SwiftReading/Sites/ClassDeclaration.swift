internal import SwiftParsing

/// Where Swift source declares a class with `@Model`, and its properties.
package enum ClassDeclaration {
  /// The bytes of the name of a class, or of a property that is declared in it; nil where the source does not declare it.
  package static func place(ofClass name: String, property: String?, in text: String) -> Range<Int>? {
    let file = SwiftSourceFile(text)
    for block in file.types(named: name) {
      let words = (0..<block.open).reversed().prefix { ![.sign("{"), .sign("}"), .sign(";")].contains(file.kind($0)) }
      guard words.contains(where: { file.kind($0) == .attribute("Model") }),
        let own = words.first(where: { file.name($0) == name && file.name($0 - 1) == "class" })
      else { continue }
      guard let property else { return file.tokens[own].range }
      if let place = file.declarations(of: property, in: block).first {
        return file.tokens[place].range
      }
    }
    return nil
  }
}
