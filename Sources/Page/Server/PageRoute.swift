internal import HTTP

/// Where a request goes.
enum PageRoute {
  case asset(String)
  case events
  case content(Content, PageFormat)
  case action(PageAction)

  /// What pages show, or parts of them.
  enum Content {
    /// The entities, or the page of a script.
    case entities
    /// The entities.
    case store
    /// The page of a file of the notebook.
    case notebook
    /// A plot of a script's page.
    case chart
    case entity(String)
    /// What a text leads to.
    case jump
    case help
    /// The bytes of a property of an object.
    case data
    /// What can stand behind the beginning of a predicate.
    case completions
    /// What is wrong with a predicate, or how many objects it selects.
    case reading
    case form(Form)
  }

  /// Pages about changes.
  enum Form: String {
    case changes, edit, add, delete, paste, setall
    /// The names of objects, for a script.
    case names
  }

  /// Nil for what leads nowhere.
  init?(_ request: HTTPRequest) {
    let path = request.path
    if path.first == "-" {
      guard path.count == 2 else { return nil }
      switch path[1] {
      case "events": self = .events
      case "complete": self = .content(.completions, .json)
      case "store": self = .content(.store, .html)
      case "jump" where request.method != .post: self = .content(.jump, .html)
      case "help" where request.method != .post: self = .content(.help, .html)
      case "data" where request.method != .post: self = .content(.data, .html)
      case "page" where request.method != .post: self = .content(.notebook, .html)
      case "chart": self = .content(.chart, .svg)
      case "reading": self = .content(.reading, .html)
      case let name:
        if request.method == .post {
          guard let action = PageAction(rawValue: name) else { return nil }
          self = .action(action)
        } else {
          self = Form(rawValue: name).map { .content(.form($0), $0 == .names ? .json : .html) } ?? .asset(name)
        }
      }
      return
    }
    guard path.count <= 1 else { return nil }
    guard let name = path.first else {
      self = .content(.entities, .html)
      return
    }
    let (stem, format) = Self.split(name)
    self = .content(stem.isEmpty ? .entities : .entity(stem), format)
  }

  /// A name and the format that its ending names.
  private static func split(_ name: String) -> (String, PageFormat) {
    for format in PageFormat.allCases where format != .html && name.hasSuffix(format.suffix) {
      return (String(name.dropLast(format.suffix.count)), format)
    }
    return (name, .html)
  }
}
