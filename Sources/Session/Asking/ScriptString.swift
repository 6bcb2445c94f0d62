internal import LuaBindings
package import Modeling

/// A string of a script that is a predicate or a key path, with what it is about.
package struct ScriptString {
  package let kind: PredicateCompleter.Kind
  /// Nil where it is not known.
  package let entity: Entity?
  private let content: LuaStringBeginning

  init(_ content: LuaStringBeginning, _ kind: PredicateCompleter.Kind, _ entity: Entity?) {
    (self.content, self.kind, self.entity) = (content, kind, entity)
  }

  package var text: String { content.text }

  /// The place in the script of a range of the text, in bytes of both.
  package func source(_ range: Range<Int>) -> Range<Int> {
    content.place(ofByte: range.lowerBound)..<content.place(ofByte: range.upperBound)
  }

  /// The byte of the text that stands at a byte of the script, or the next one behind it.
  package func offset(ofSource byte: Int) -> Int {
    let count = text.utf8.count
    return (0...count).first { content.place(ofByte: $0) >= byte } ?? count
  }
}
