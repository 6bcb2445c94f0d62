# Shared by the scripts beside it: where the package is, what must be installed, and how the product is built.
# shellcheck shell=bash disable=SC2034

set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# What the sources are compiled against, and what the tests use besides.
BUILD_PACKAGES=(liblua5.4-dev libsqlite3-dev libreadline-dev libutf8proc-dev zlib1g-dev)
TEST_PACKAGES=("${BUILD_PACKAGES[@]}" gcc git sqlite3 sqlite3-tools tmux python3 lua-check librsvg2-2 postgresql zsh fish)
PROOF_PACKAGES=(gcc sqlite3 python3)
BENCH_PACKAGES=("${BUILD_PACKAGES[@]}" sqlite3 sqlite3-tools gcc make python3 python3-venv lua5.4 lua-sql-sqlite3 postgresql)

# What swift format lays out and checks.
SWIFT_FILES=(Package.swift scripts/trim-icu.swift Sources Tests Proof/Simulation Proof/simulate Examples/LiveBoard Examples/OrderServer/{Package.swift,Sources} Benchmarks/{grdb-peer,console-host}/{Package.swift,Sources})

# The suites of the layers from Modeling to LiveQueries, which need no terminal: what `--filter` takes.
LAYER_SUITES='^(Modeling|Queries|Postgres|Storage|Transfer|ObjectGraph|Reactive|LiveQueries|ObjectStore)Tests\.'

# How long the script has taken so far, as "1 min 42 s".
elapsed() {
  ((SECONDS < 60)) && printf '%d s' "$SECONDS" || printf '%d min %d s' $((SECONDS / 60)) $((SECONDS % 60))
}

say() { printf '%s\n' "$*" >&2; }

# fail STATUS SENTENCE
fail() {
  local status=$1
  shift
  say "$*"
  exit "$status"
}

# takes USAGE ARGUMENT... prints the words at the head of the script for --help, and refuses options that USAGE does not name and
# more arguments than it has.
takes() {
  local name usage most argument
  name=scripts/$(basename "$0")
  usage="usage: $name${1:+ $1}"
  read -ra most <<<"$1"
  shift
  for argument in "$@"; do
    case $argument in
    -h | --help)
      printf '%s\n\n' "$usage"
      sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$name"
      exit 0
      ;;
    -*) [[ $usage == *"[$argument]"* ]] || fail 64 "'$argument' is no option of $name; $usage" ;;
    esac
  done
  (($# <= ${#most[@]})) || fail 64 "$usage"
}

need_swift() {
  local version
  version=$(swift --version 2>/dev/null | grep -oE 'Swift version [0-9]+\.[0-9]+' | grep -oE '[0-9.]+' || true)
  if [[ -z $version ]] || ((${version%.*} * 100 + ${version#*.} < 602)); then
    fail 69 "Swift 6.2 or later is needed: https://swift.org/install"
  fi
}

# Looks for what a package brings, not for the package, so that other distributions pass too.
is_present() {
  case $1 in
  liblua5.4-dev) [[ -e /usr/include/lua5.4/lua.h ]] ;;
  libsqlite3-dev) [[ -e /usr/include/sqlite3.h ]] ;;
  libreadline-dev) [[ -e /usr/include/readline/readline.h ]] ;;
  zlib1g-dev) [[ -e /usr/include/zlib.h ]] ;;
  libutf8proc-dev) [[ -e /usr/include/utf8proc.h ]] ;;
  librsvg2-2) [[ -e $(compgen -G '/usr/lib/*/librsvg-2.so.2') ]] ;;
  chromium-driver) command -v chromedriver >/dev/null ;;
  postgresql) [[ -n $(compgen -G '/usr/lib/postgresql/*/bin/postgres') ]] || command -v postgres >/dev/null ;;
  lua-check) command -v luacheck >/dev/null ;;
  lua-sql-sqlite3) lua5.4 -e 'require "luasql.sqlite3"' 2>/dev/null ;;
  python3-venv) python3 -c 'import ensurepip, venv' 2>/dev/null ;;
  *) command -v "$1" >/dev/null ;;
  esac
}

# need_packages PACKAGE... installs those that are missing, or says in one sentence why it cannot.
need_packages() {
  local package missing=() as_root=()
  for package in "$@"; do
    is_present "$package" || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  if ! command -v apt-get >/dev/null; then
    fail 69 "There is no apt-get here; install what these Debian packages hold and try again: ${missing[*]}"
  fi
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null || { [[ ! -t 0 ]] && ! sudo -n true 2>/dev/null; }; then
      fail 69 "Installing needs root; run this as root and try again: apt-get install ${missing[*]}"
    fi
    as_root=(sudo)
  fi
  say "Installing ${missing[*]}"
  if [[ " ${missing[*]} " == *" postgresql "* ]]; then
    # The tests run servers of their own: Debian's package is not to make one for the system.
    "${as_root[@]}" mkdir -p /etc/postgresql-common/createcluster.d
    printf 'create_main_cluster = false\n' |
      "${as_root[@]}" tee /etc/postgresql-common/createcluster.d/tests.conf >/dev/null
  fi
  "${as_root[@]}" apt-get update -qq >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2 ||
    fail 69 "apt-get could not install ${missing[*]}; what it said is above"
}

# The flags of the debug build. An index for editors, which a plain `swift build` makes as well, takes up to a fifth of the
# time; a folder that builds with both flags shared would be built anew each time.
DEBUG_FLAGS=(--disable-index-store --scratch-path .build-debug)

# The debug build of the program, shared by scripts/demo and scripts/test. Prints where it is.
build_debug() {
  swift build "${DEBUG_FLAGS[@]}" --product perilune >&2
  printf '%s/perilune\n' "$(swift build "${DEBUG_FLAGS[@]}" --show-bin-path)"
}

# The data of ICU that Perilune uses, as an object file that is linked instead of the whole, which Swift's runtime brings:
# the linker's --wrap lets ICU find it by another name. trimmed_icu FOLDER prints the linker's arguments.
trimmed_icu() {
  local folder=$1 object=icu_packaged_data.cpp.o runtime archive symbol
  runtime=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
  archive=${runtime}_static/linux/lib_FoundationICU.a
  if [[ ! -e $folder/icu.o || $archive -nt $folder/icu.o || scripts/trim-icu.swift -nt $folder/icu.o ]]; then
    mkdir -p "$folder"
    (cd "$folder" && ar x "$archive" "$object" && objcopy -O binary --only-section=.rodata "$object" whole.dat)
    swift scripts/trim-icu.swift "$folder/whole.dat" "$folder/icu.dat"
    symbol=$(nm "$folder/$object" | sed -n 's/.* R //p')
    printf '%s\n' "$symbol" >"$folder/symbol"
    printf '%s\n' '.section .rodata' '.balign 16' ".globl __wrap_$symbol" "__wrap_$symbol:" ".incbin \"$folder/icu.dat\"" \
      '.section .note.GNU-stack,"",%progbits' >"$folder/icu.s"
    "$runtime/../../bin/clang" -c "$folder/icu.s" -o "$folder/icu.o"
    rm "$folder/$object" "$folder/whole.dat"
  fi
  printf '%s\n' "-Xlinker --wrap=$(<"$folder/symbol") -Xlinker $folder/icu.o"
}

# What the program needs besides libc, as archives of which it takes what it uses: then it runs on systems that lack these
# libraries. Lua is taken whole and its names are exported, as modules for Lua in C look for them in the program.
# static_libraries FOLDER prints the linker's arguments; nothing where an archive is missing, as on systems without them.
static_libraries() {
  local folder=$1 clang library archive
  clang=$(dirname "$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')")/../bin/clang
  rm -rf "$folder"
  mkdir -p "$folder"
  for library in lua5.4 sqlite3 readline tinfo utf8proc z stdc++; do
    archive=$("$clang" "-print-file-name=lib$library.a")
    [[ -e $archive ]] || return 0
    ln -s "$(realpath "$archive")" "$folder/lib$library.a"
  done
  # As an object file, because Swift has the linker hide the names of archives; -llua5.4 then finds an empty one.
  "$(dirname "$clang")/ld.lld" -r --whole-archive "$folder/liblua5.4.a" -o "$folder/lua.o"
  rm "$folder/liblua5.4.a"
  ar rcs "$folder/liblua5.4.a"
  printf -- '-Xlinker %s ' "-L$folder" -ltinfo "$folder/lua.o" '--export-dynamic-symbol=lua_*' '--export-dynamic-symbol=luaL_*'
}

# The one release build: it carries Swift's runtime within, so that what is tested, measured and installed is the same
# file. It is linked for a fixed address and exports no names, as a hundred thousand relocations and thousands of names
# would cost a third of the time to the first expression, at each start. The debug build, which all tests run, enforces
# exclusive access to memory; the release build omits these checks, which cost six in a hundred instructions of a save.
# Each function has a section of its own, so that the linker leaves out those that nothing calls: 1.4 MB of 45. It could also
# fold those with the same code, which saves as much again, but then two key paths could be the same.
# Types are found by calls instead of by their names, which Swift reads and looks up at the first use of each: four of ten
# instructions of a start. It makes the program 0.8 percent larger.
# What a start touches, which scripts/order noted, stands side by side: a page of the program that is not in place yet costs
# microseconds, and without this a third of the time to the first expression went into some 200 of them.
# release_product PRODUCT [FLAG...] prints the path of the program, or of another product that is built as it is.
release_product() {
  local product=$1 icu linked libraries flags=(-c release --static-swift-stdlib -Xswiftc -enforce-exclusivity=unchecked -Xswiftc -gnone)
  flags+=(-Xswiftc -Xfrontend -Xswiftc -function-sections)
  flags+=(-Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors)
  # Paths in the program are those of a folder called perilune, so that each clone builds the same bytes.
  flags+=(-Xswiftc -file-prefix-map -Xswiftc "$PWD=/perilune" -Xcc "-ffile-prefix-map=$PWD=/perilune")
  flags+=(-Xswiftc -Xclang-linker -Xswiftc -no-pie -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic)
  flags+=(-Xlinker "--symbol-ordering-file=$PWD/scripts/start-order.txt" -Xlinker --no-warn-symbol-ordering)
  # Exceptions of C++ need nothing of the system's libgcc, which would be one more library to load.
  flags+=(-Xswiftc -Xclang-linker -Xswiftc -static-libgcc)
  icu=$(trimmed_icu .build-release/icu)
  read -ra linked <<<"$icu"
  libraries=$(static_libraries .build-release/static)
  read -ra libraries <<<"$libraries"
  flags+=("${linked[@]}" "${libraries[@]}" "${@:2}" --scratch-path .build-release)
  # Nor is a library beside the program looked for, which would be loaded instead of the system's.
  flags+=(--disable-local-rpath)
  swift build "${flags[@]}" --product "$product" 2>&1 | progress
  printf '%s/%s\n' "$(swift build "${flags[@]}" --show-bin-path)" "$product"
}

build_release() { release_product perilune; }

# Shows the lines of a build as one line for each part, with the time so far. What else a build says passes through.
progress() {
  local line shown=, part
  while IFS= read -r line; do
    if [[ $line =~ ^\[[0-9]+/[0-9]+\]\ (Compiling|Linking)\ ([A-Za-z0-9_]+) ]]; then
      part="${BASH_REMATCH[1]} ${BASH_REMATCH[2]}"
      [[ $shown == *",$part,"* ]] && continue
      shown+="$part,"
      say "$(printf '%11s  %s' "$(elapsed)" "$part")"
    elif [[ $line != \[* ]]; then
      say "$line"
    fi
  done
}

# lay_out PERILUNE TREE puts the program, its manual page and its completions below TREE, as they lie below a prefix.
lay_out() {
  local perilune=$1 tree=$2 manual
  manual=$(mktemp -d)
  mkdir -p "$tree/bin" "$tree/share"/{man/man1,bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d}
  strip -o "$tree/bin/perilune" "$perilune" 2>/dev/null || cp "$perilune" "$tree/bin/perilune"
  chmod 755 "$tree/bin/perilune"
  "$perilune" manual "$manual" >/dev/null
  gzip -9n <"$manual/perilune.1" >"$tree/share/man/man1/perilune.1.gz"
  sed '1{/^#!/d}' "$manual/perilune.bash" >"$tree/share/bash-completion/completions/perilune"
  cp "$manual/_perilune" "$tree/share/zsh/vendor-completions/_perilune"
  cp "$manual/perilune.fish" "$tree/share/fish/vendor_completions.d/perilune.fish"
  rm -r "$manual"
}
