internal import Modeling
public import Queries
internal import SwiftParsing

extension SwiftPrinter {
  /// The request as source.
  ///
  /// - Throws: the first part of it that the form cannot say.
  public func source(of request: FetchRequest, as form: SwiftForm) throws(SwiftPrintingError) -> String {
    if let function = request.sectionFunction {
      throw SwiftPrintingError(.notInForm(form, "sections by a function", instead: .storedAttribute), in: function.name)
    }
    switch form {
    case .nspredicate, .macro:
      var printer = self
      printer.entity = request.entity
      return try printer.source(of: request.predicate ?? .constant(true), as: form)
    case .nsFetchRequest: return try plainRequestSource(of: request)
    case .fetchRequest: return try fetchRequestSource(of: request)
    case .sectionedFetchRequest: return try sectionedSource(of: request)
    case .query: return try querySource(of: request)
    case .fetchDescriptor: return try descriptorSource(of: request)
    case .resultsObserver: return try observerSource(of: request)
    }
  }

  /// The form that says most of a request.
  public static func form(for request: FetchRequest) -> SwiftForm {
    guard request.resultType == .objects, request.propertiesToFetch.isEmpty, request.propertiesToGroupBy.isEmpty else {
      return .nsFetchRequest
    }
    return request.sectionIdentifier == nil ? .fetchRequest : .sectionedFetchRequest
  }

  // MARK: Parts

  /// What the property with the results is called.
  func propertyName(_ entity: Entity) -> String { SwiftNames.identifier(name ?? SwiftNames.objects(entity)) }

  /// A declaration with a property wrapper before it.
  func wrapped(_ wrapper: SwiftCode, _ declaration: String) -> String {
    SwiftLayout().lines(wrapper, column: 0, indent: 0) + "\n" + declaration
  }

  /// An initialiser of a view that makes the property of its parameters.
  func initializer(
    _ captures: SwiftCaptures, objects: String, assigning name: String, _ value: SwiftCode
  ) -> String {
    let parameters = captures.parameters.map {
      "\(SwiftNames.identifier($0.name)): \($0.type.name(ofObjects: objects))"
    }
    let head = "init(\(parameters.joined(separator: ", "))) {\n"
    let constants = captures.constants.map { "    " + $0.declaration() + "\n" }.joined()
    let assignment = "    \(SwiftNames.storage(name)) = "
    let layout = SwiftLayout(taken: captures.names)
    return head + constants + assignment
      + layout.lines(value, column: assignment.count, indent: 4) + "\n}"
  }

  /// The path of a single property, as a section or sort key is written.
  func keyPath(
    _ expression: Queries.Expression, in entity: Entity, _ form: SwiftForm, root: String = ""
  ) throws(SwiftPrintingError) -> (text: String, type: SwiftTerm) {
    let clause = expression.description
    guard case .path(let path) = expression, !path.hasCasts else {
      throw SwiftPrintingError(
        .notInForm(form, "a key that is not an attribute", instead: .storedAttribute), in: clause)
    }
    var printer = MacroPrinter(entity: entity)
    let start = SwiftTerm(code: .text("\\\(root)"), type: .object(entity))
    let term: SwiftTerm
    do {
      term = try printer.value(path, of: start)
    } catch {
      throw SwiftPrintingError(.notInForm(form, "the key \(path.text)", instead: .storedAttribute), in: clause)
    }
    return (SwiftLayout().flat(term.code), term)
  }

  /// A sort descriptor; strings are compared as the request says, for Swift's own way is another.
  func sortDescriptor(
    _ descriptor: Queries.SortDescriptor, in entity: Entity, _ form: SwiftForm, root: String = ""
  ) throws(SwiftPrintingError) -> SwiftCode {
    let key = try keyPath(descriptor.expression, in: entity, form, root: root)
    var arguments = [key.text]
    if key.type.type == .string {
      switch descriptor.comparator {
      case .standard: break
      case .localized: arguments.append("comparator: .localized")
      case .binary: arguments.append("comparator: .lexical")
      case .caseInsensitive:
        throw SwiftPrintingError(
          .notInForm(form, "a case-insensitive order", instead: .form(.fetchRequest)),
          in: descriptor.expression.description)
      }
    }
    if !descriptor.isAscending { arguments.append("order: .reverse") }
    return .call("SortDescriptor", arguments.map { .text($0) })
  }

  func sortDescriptors(
    _ request: FetchRequest, _ form: SwiftForm, root: String = ""
  ) throws(SwiftPrintingError) -> SwiftCode {
    var codes: [SwiftCode] = []
    for descriptor in request.sortDescriptors {
      codes.append(try sortDescriptor(descriptor, in: request.entity, form, root: root))
    }
    return .list(codes)
  }

  /// `animation: .easeIn`; nothing where the request has none.
  func animationArgument(_ request: FetchRequest) -> [SwiftCode] {
    request.animation.map { [.text("animation: .\($0)")] } ?? []
  }

  /// Refuses what a request has and none of the forms can say.
  func requireObjects(_ request: FetchRequest, _ form: SwiftForm) throws(SwiftPrintingError) {
    guard request.resultType == .objects, request.propertiesToGroupBy.isEmpty, request.propertiesToFetch.isEmpty else {
      throw SwiftPrintingError(
        .notInForm(form, "a request for \(request.resultType.rawValue)", instead: .form(.nspredicate)))
    }
  }
}
