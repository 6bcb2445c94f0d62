public import Modeling
public import Queries
internal import SwiftParsing

/// Writes predicates and requests as the Swift that an app has.
///
///     try SwiftPrinter(entity: quake).source(of: Predicate.parse("magnitude >= 5"), as: .macro)
///     // #Predicate<Quake> { ($0.magnitude.flatMap { $0 >= 5 } ?? false) }
///
/// Arguments stay apart from the text, variables without a value become parameters of a function.
public struct SwiftPrinter {
  /// The entity of the predicate; nil if it is not known.
  public var entity: Entity?
  /// What the declaration is called; nil for a name made of the entity's.
  public var name: String?
  /// Whether variables without a value are names that are known where the source goes, rather than parameters of a function.
  package var isInline = false

  /// Makes a printer.
  public init(entity: Entity?, name: String? = nil) {
    self.entity = entity
    self.name = name
  }

  /// The predicate as source.
  ///
  /// - Throws: the first clause that the form cannot say.
  public func source(of predicate: Queries.Predicate, as form: SwiftForm) throws(SwiftPrintingError) -> String {
    switch form {
    case .nspredicate: return try formatSource(of: predicate)
    case .macro: return try macroSource(of: predicate, in: try knownEntity(form))
    default:
      var request = FetchRequest(try knownEntity(form))
      request.predicate = predicate
      return try source(of: request, as: form)
    }
  }

  /// Whether a declaration can have that name.
  public static func isName(_ text: String) -> Bool { SwiftNames.isIdentifier(text) }

  func knownEntity(_ form: SwiftForm) throws(SwiftPrintingError) -> Entity {
    guard let entity else { throw SwiftPrintingError(.needsEntity(form)) }
    return entity
  }

  // MARK: #Predicate

  private func macroSource(
    of predicate: Queries.Predicate, in entity: Entity
  ) throws(SwiftPrintingError) -> String {
    var printer = MacroPrinter(entity: entity)
    let closure = try printer.closure(predicate)
    let macro = SwiftCode.sequence([.text("#Predicate<\(entity.name)> "), closure])
    return declared(
      macro, type: "Predicate<\(entity.name)>", printer.captures, objects: "PersistentIdentifier",
      function: "matching" + SwiftNames.capitalized(SwiftNames.objects(entity)))
  }

  // MARK: Declarations

  /// A value that stands alone, as a constant after those it needs, or in a function of its parameters.
  func declared(
    _ code: SwiftCode, type: String, _ captures: SwiftCaptures, objects: String, constant: String = "predicate",
    function: String
  ) -> String {
    let layout = SwiftLayout(taken: captures.names)
    guard !captures.parameters.isEmpty, !isInline else {
      let constants = captures.constants.map { $0.declaration() + "\n" }.joined()
      let isAlone = captures.constants.isEmpty && name == nil
      let head = isAlone ? "" : "let \(SwiftNames.identifier(name ?? constant)) = "
      return constants + head + layout.lines(code, column: head.count, indent: 0)
    }
    let parameters = captures.parameters.map {
      "\(SwiftNames.identifier($0.name)): \($0.type.name(ofObjects: objects))"
    }
    let head = "func \(SwiftNames.identifier(name ?? function))(\(parameters.joined(separator: ", "))) -> \(type) {\n"
    let constants = captures.constants.map { "    " + $0.declaration() + "\n" }.joined()
    let body = (captures.constants.isEmpty ? "" : "return ")
    return head + constants + "    " + body
      + layout.lines(code, column: 4 + body.count, indent: 4) + "\n}"
  }
}
