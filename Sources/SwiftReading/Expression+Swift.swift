public import Modeling
public import Queries
public import SwiftParsing

extension Expression {
  /// Reads a value from Swift source: an `#Expression`, alone or declared by a name; the last one, if there are several.
  ///
  ///     try Expression(swift: "#Expression<Quake, Double> { $0.magnitude * 2 }", in: model)     // magnitude * 2
  ///
  /// The first input that is an entity is the object; other inputs, and names from outside, become variables.
  /// - Parameter entity: the entity of the object, if the caller knows it.
  /// - Throws: all mistakes of the text, in its order, a result of another type than is declared among them.
  public init(swift text: String, in model: Model? = nil, of entity: Entity? = nil) throws(SwiftReadingError) {
    let reader = try SourceReader.reading(text, in: model, of: entity)
    guard let found = reader.expression else {
      throw SwiftReadingError(issues: [SwiftReadingError.Issue(.noExpression, at: reader.whole)])
    }
    self = found
  }
}
