internal import HTTP
internal import Modeling
internal import Session

/// Why a page cannot be shown.
enum PageProblem: Error {
  case noPage
  /// A name that no file of the notebook has.
  case noNotebookPage(String, nearest: String?)
  case noEntity(String, nearest: String?)
  case noObject(ObjectAddress)
  case noRelationship(String, entity: String, nearest: String?)
  case unsortable(String, nearest: String?)
  case noFormat(PageFormat)
  case noHelp(String)
  case access(AccessGuard.Refusal)
  case method
  case noProperty(String, entity: String, nearest: String?)
  /// A property whose value is no data.
  case noData(String, entity: String)
  /// A change where the server only shows.
  case onlyReading
  /// A form that this server has not shown.
  case unknownForm
  /// A body that is no form.
  case noForm
  case nothingTo(PageAction)
  /// A text that is neither a token of the history nor a time.
  case noMoment(String)
  /// A text that is too long for a form.
  case tooLong(String)
  /// More objects than a form changes at once.
  case tooMany(String, Int, most: Int)
  /// An error of the engine, in its words.
  case failure(String)
  /// A read that took longer than a page waits for.
  case tooSlow(seconds: Double)

  var status: HTTPStatus {
    switch self {
    case .noPage, .noNotebookPage, .noEntity, .noObject, .noRelationship, .noProperty, .noData, .noHelp, .noFormat:
      .notFound
    case .unsortable, .tooLong, .tooMany, .noMoment: .unprocessable
    case .onlyReading, .unknownForm: .forbidden
    case .noForm: .unsupportedMediaType
    case .nothingTo: .conflict
    case .access(.host): .misdirected
    case .access: .forbidden
    case .method: .methodNotAllowed
    case .failure: .unprocessable
    case .tooSlow: .unavailable
    }
  }

  var sentence: String {
    func hint(_ nearest: String?) -> String { nearest.map { "; did you mean '\($0)'?" } ?? "" }
    switch self {
    case .noPage: return "there is no such page"
    case .noNotebookPage(let name, let nearest): return "the notebook has no page '\(name)'" + hint(nearest)
    case .noEntity(let name, let nearest): return "there is no entity '\(name)'" + hint(nearest)
    case .noObject(let object):
      return "there is no \(object.entity) with the key \(object.key.joined(separator: ", "))"
    case .noRelationship(let name, let entity, let nearest):
      return "\(entity) has no relationship '\(name)'" + hint(nearest)
    case .unsortable(let name, let nearest): return "rows cannot be sorted by '\(name)'" + hint(nearest)
    case .noHelp(let name): return "there is no help on '\(name)'"
    case .noFormat(let format): return "this page cannot be had as \(format.rawValue)"
    case .access(.host): return "this server answers for 127.0.0.1 and localhost alone"
    case .access(.origin): return "the request comes from a page of another server"
    case .access(.usedToken): return "this address has been used; the terminal shows a new one"
    case .access(.noAccess): return "open the address that the terminal shows"
    case .method: return "pages are read with GET"
    case .noProperty(let name, let entity, let nearest): return "\(entity) has no property '\(name)'" + hint(nearest)
    case .noData(let name, let entity): return "\(name) of this \(entity) has no data"
    case .onlyReading: return "this server only shows the store; perilune serve --write can change it"
    case .unknownForm: return "this form is too old, or of another page; load the page again"
    case .noForm: return "expected a form of these pages; a file in it must be text in UTF-8"
    case .nothingTo(let action): return "there is nothing to \(action.rawValue)"
    case .noMoment(let text):
      return "expected a token of the history or a time, such as 2024-05-01T12:00:00Z, got '\(text)'"
    case .tooLong(let name): return "\(name) is too long for a form; the prompt sets it"
    case .tooMany(let entity, let count, let most):
      return
        "\(Quantity.grouped(count)) \(entity) are more than the \(Quantity.grouped(most)) that a form changes at once"
        + "; the prompt sets them with updateAll"
    case .failure(let message): return message
    case .tooSlow(let seconds):
      return "reading takes longer than \(Int(seconds)) s; a narrower predicate would take less"
    }
  }
}
