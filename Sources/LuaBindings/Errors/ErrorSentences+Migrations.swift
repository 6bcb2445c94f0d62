internal import Stores

extension ErrorReport {
  static func migrationReport(_ error: StoreError, _ path: String) -> ErrorReport {
    func report(_ message: String, _ details: [String] = [], _ status: Int32 = 69) -> ErrorReport {
      ErrorReport("migration", message, details: details.map { Detail($0) }, exitStatus: status)
    }
    switch error.fact {
    case .migrationLosing(let losses, let obstacles):
      let lines = (["the model given has no place for all that \(path) holds:"] + losses).joined(separator: "\n  ")
      let others = obstacles.isEmpty ? "" : (["\nand not all of it fits:"] + obstacles).joined(separator: "\n  ")
      let copy = (error.path.map(StoreOpening.of) ?? .file).copyBeforeLosses
      let remedy =
        "nothing was changed; `migrate = true` (--migrate) loses that\(copy), a function `migrate`"
        + " moves it, and a renamingIdentifier keeps what has another name"
      return report("\(lines)\(others)\n\(remedy)", losses + obstacles)
    case .newerModel(let stored, let wanted, let extra):
      let lost = extra.isEmpty ? "" : ", which lacks \(list(extra))"
      return report("\(path) has \(stored) of its model, and the model given is \(wanted)\(lost)", extra)
    case .unknownModel(let stored, let known, let nearest, let differences):
      let lines = [
        "\(path) has \(stored) of its model, which is none of the stages' (\(list(known)));"
          + " from \(nearest) it differs by:"
      ]
      return report((lines + differences.map { "  \($0)" }).joined(separator: "\n"), differences)
    case .stagesApart(let stage, let begins, let previous):
      return report("stage \(stage) begins with \(begins), and the stage before it ends with \(previous)")
    case .stagesEndElsewhere(let last, let wanted):
      return report("the model given is \(wanted), and no stage leads there: the last ends with \(last)")
    case .backupFailed(let cause, let backup):
      let reason =
        if case .cannotCreate(let text) = cause { text } else { ErrorReport(StoreError(cause, path: backup)).message }
      return report(
        "no copy of \(path) could be made at '\(backup)' before it is migrated: \(reason); make room there, or go"
          + " without by backup = false", [], 74)
    case .damagedByMigration(let backup, let reason):
      return report("\(path) was damaged while it was migrated (\(reason)); '\(backup)' is the store before it", [], 74)
    default: return report("\(path) cannot be migrated: it was not made by perilune")
    }
  }
}
