internal import LuaBindings
internal import Modeling
internal import Session
internal import SourceChecking
internal import SwiftReading

/// The check of Swift files: reads them, finds their models, and counts what was checked.
struct SwiftFilesCheck {
  private(set) var findings: [CheckFinding] = []
  private(set) var total = SourceChecker.Result()
  private(set) var models: ProjectModels?
  private(set) var fileCount = 0

  /// Checks files against a model, or without one against those of their project, and their requests against a store.
  init(_ files: CheckedFiles, _ model: Model?, _ plans: PlanNotes?) throws(FileFailure) {
    var candidates: [(path: String, text: String, sites: SourceSites)] = []
    var modelTexts: [String] = []
    for path in files.swiftFiles {
      let bytes = try readFile(path)
      let words = SourceWords(bytes)
      guard words.hasSites || words.hasModel && model == nil else { continue }
      let text = String(decoding: bytes, as: UTF8.self)
      if words.hasModel, model == nil { modelTexts.append(text) }
      if words.hasSites { candidates.append((path, text, SourceSites(text))) }
    }
    fileCount = files.swiftFiles.count
    if model == nil { models = ProjectModels(files.modelFolders, modelTexts) }
    let checker = SourceChecker(
      model.map { [SourceModel($0, isSwiftData: $0.hasSwiftTypes)] } ?? models?.models ?? [],
      readsRequests: plans != nil)
    var uses = SharedUses(of: candidates.reduce(into: []) { $0.formUnion($1.sites.shared) })
    if !uses.values.isEmpty { for path in files.swiftFiles { uses.add(try readFile(path)) } }
    for (path, text, sites) in candidates {
      let result = checker.check(text, sites.resolved(by: uses))
      total.checked += result.checked
      total.withoutEntity += result.withoutEntity
      total.unread += result.unread
      guard !result.findings.isEmpty || !result.requests.isEmpty else { continue }
      let lines = SourceLines(text)
      findings += result.findings.map { CheckFinding($0, in: path, lines) }
      findings += plans?.findings(result.requests, in: path, lines) ?? []
    }
  }

  /// What was checked, in a sentence for each fact.
  var summary: [String] {
    var sentences = [
      "checked \(Quantity.count(total.checked, "place")) in \(Quantity.count(fileCount, "Swift file"))"
    ]
    if total.withoutEntity > 0 {
      sentences.append("without a known entity: \(total.withoutEntity), of which the syntax alone was checked")
    }
    if total.unread > 0 {
      sentences.append("not checked, because they are put together where the program runs: \(total.unread)")
    }
    if let models, models.models.isEmpty { sentences.append("there is no model beside them: name one with --model") }
    sentences += (models?.unread ?? []).map { "the model '\($0)' could not be read" }
    return sentences
  }
}
