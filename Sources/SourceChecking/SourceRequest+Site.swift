internal import Queries
internal import SwiftReading

extension SourceRequest {
  /// The request of a site that is all of a request's condition or order; nil where not enough of it is known, or it is wrong.
  init?(_ site: SourceSite, _ subject: SourceChecker.Subject) {
    guard site.isWhole else { return nil }
    var request = FetchRequest(subject.entity)
    switch (site.subject, site.use) {
    case (.format(let format), _):
      let reading = FormatReading(format)
      guard !format.format.text.isEmpty, !reading.hasUnknownKey, let predicate = try? reading.predicate() else {
        return nil
      }
      request.predicate = predicate
      self.init(request, predicate: format.format.whole)
    case (.macro(let macro), _):
      guard let read = macro.predicate(of: subject.entity, hasOptionals: subject.isSwiftData), read.issues.isEmpty
      else { return nil }
      request.predicate = read.predicate
      self.init(request, predicate: site.range)
    case (.key(let text), .order):
      request.sortDescriptors = [SortDescriptor(text.text)]
      self.init(request, order: text.whole)
    case (.keyPath(let names, let range), .order):
      request.sortDescriptors = [SortDescriptor(.path(PropertyPath(names)))]
      self.init(request, order: range)
    case (.key, _), (.keyPath, _), (.entityName, _), (.unread, _): return nil
    }
    guard isValid else { return nil }
  }

  /// Whether the entity has all that the request names.
  private var isValid: Bool {
    do {
      try request.predicate?.check(in: request.entity)
      for order in request.sortDescriptors { try order.check(in: request.entity) }
      return true
    } catch { return false }
  }
}
