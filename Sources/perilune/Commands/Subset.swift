internal import ArgumentParser
internal import Shell

/// `perilune subset STORE TARGET`
struct Subset: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "subset",
    abstract: "Make a store with a valid part of another one: some objects, with what they need and lead to.",
    usage:
      "perilune subset STORE TARGET [--from 'ENTITY where PREDICATE' ...] [--follow NAMES] [--sample SHARE] [--mask PATH=MASK ...]",
    discussion: """
      The objects that mandatory to-ones lead to are always taken, so that the part is valid by itself. The new store is of the \
      same kind; that of a PostgreSQL database is a file unless TARGET is an address. What was taken is shown with the \
      reason, and what one more relationship would add.
      """)

  @Argument(help: "The store, which is only read, and the new one.", completion: .file())
  var names: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: "The objects to begin with, as Quake or 'Quake where magnitude > 6'; may be repeated. All without any.")
  var from: [String] = []

  @Option(help: "Relationships to follow, with commas between: reports,Quake.stations.")
  var follow: String?

  @Option(help: "The share of the first objects that is taken, chosen by a hash of the key: 0.01.")
  var sample: Double?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Mask an attribute: User.email=email, *.name=name; by text, name, phone, email, uuid, hash, nil, number:PERCENT or date:DAYS. May be repeated.",
      valueName: "path=mask"))
  var mask: [String] = []

  @Option(
    name: .customLong("secret-file"),
    help: "A file with the secret from which masks are derived, so that each run makes the same ones.",
    completion: .file())
  var secretFile: String?

  @Flag(
    name: .customLong("list-unmasked"), help: "List the attributes that may hold texts and have no mask; write nothing."
  )
  var listUnmasked = false

  @Flag(name: .customLong("dry-run"), help: "Write nothing, and show what would be taken.")
  var dryRun = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard names.count == 2 || (names.count == 1 && (dryRun || listUnmasked)) else {
      throw ValidationError("expected a store and the name of a new one: perilune subset STORE TARGET")
    }
    for text in mask where (text.firstIndex(of: "=") ?? text.startIndex) == text.startIndex {
      throw ValidationError("--mask: expected ENTITY.ATTRIBUTE=MASK, got \"\(text)\"")
    }
    if let sample, !(sample > 0 && sample <= 1) {
      throw ValidationError("--sample: expected a share above 0 and up to 1, got \(sample)")
    }
  }

  var programRun: SubsetRun {
    var run = SubsetRun(names[0], names.last ?? "", common.options)
    run.from = from
    run.follow = list(follow)
    run.sample = sample ?? 1
    run.masks = namesAndValues(mask)
    (run.secretFile, run.listsUnmasked, run.isDryRun) = (secretFile, listUnmasked, dryRun)
    return run
  }
}
