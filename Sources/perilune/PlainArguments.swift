internal import Shell

/// Reads options that are written plainly and right, without ArgumentParser.
///
/// ArgumentParser takes a millisecond to get going, as long as everything else up to the first evaluated expression. It
/// reads what is written in another way (`--mode=csv`, `-iq`), and says what is wrong with the rest.
enum PlainArguments {
  /// What the options ask for; nil if ArgumentParser is to look at them.
  static func launch(_ options: [String]) -> Launch? {
    var launch = Launch()
    var rest = options[...]
    while let option = rest.popFirst() {
      switch option {
      case "--create": launch.createsStore = true
      case "--read-only": launch.isReadOnly = true
      case "--migrate": launch.permitsLosses = true
      case "--write": launch.isWritable = true
      case "--dry-run": launch.isDryRun = true
      case "--profile": launch.profiles = true
      case "--sandbox": launch.isSandboxed = true
      case "--trace": launch.showsTraces = true
      case "--no-init": launch.runsInit = false
      case "--plain-editor": launch.usesPlainEditor = true
      case "--quiet", "-q": launch.isQuiet = true
      case "--interactive", "-i": launch.staysInteractive = true
      default:
        guard let value = rest.popFirst(), take(value, for: option, &launch) else { return nil }
      }
    }
    // Options that exclude each other are distinguished there.
    if launch.isReadOnly, launch.isWritable || launch.createsStore || launch.permitsLosses { return nil }
    return launch.permitsLosses && launch.modelPath == nil ? nil : launch
  }

  private static func take(_ value: String, for option: String, _ launch: inout Launch) -> Bool {
    switch option {
    case "-e", "--execute": launch.expressions.append(value)
    case "--mode" where Launch.modes.contains(value): launch.mode = value
    case "--color" where Launch.colors.contains(value): launch.color = value
    case "--from" where Launch.dataFormats.contains(value): launch.dataFormat = value
    case "--schema" where !value.hasPrefix("-"): launch.modelVersion = value
    case "--model" where !value.hasPrefix("-"): launch.modelPath = value
    default: return false
    }
    return true
  }
}
