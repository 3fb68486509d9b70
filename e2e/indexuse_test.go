package e2e

import (
	"fmt"
	"os"
	"path/filepath"

	"chant/engine/store/index"

	"github.com/rogpeppe/go-internal/testscript"
)

// useIndex runs the stories with the index as CHANT_E2E_INDEX says: "off" without it, "always" with it although the
// stories have few specs, and "corrupted" with one that is broken in another way before each command.
func useIndex(env *testscript.Env, program string) error {
	switch use := os.Getenv("CHANT_E2E_INDEX"); use {
	case "":
		return nil
	case "off", "always":
		env.Setenv(index.Variable, use)
		return nil
	case "corrupted":
		env.Setenv(index.Variable, "always")
	default:
		return fmt.Errorf("CHANT_E2E_INDEX=%q is not off, always or corrupted", use)
	}
	bin := filepath.Join(env.WorkDir, ".corrupting")
	if err := os.Mkdir(bin, 0o755); err != nil {
		return err
	}
	env.Setenv("PATH", bin+string(filepath.ListSeparator)+env.Getenv("PATH"))
	return os.WriteFile(filepath.Join(bin, "chant"), []byte(corrupting(filepath.Join(program, "chant"))), 0o755)
}

// corrupting is a script that breaks the index, if there is one, and then runs a program.
func corrupting(program string) string {
	return `#!/bin/sh
db=$(git rev-parse --path-format=absolute --git-common-dir 2>/dev/null)/chant/` + index.Name + `
if [ -f "$db" ]; then
	case $(($$ % 4)) in
	0) printf 'This is not a database.' | dd of="$db" conv=notrunc 2>/dev/null ;;
	1) for at in 1 2 3 4 5 6 7 8; do printf 'xxxxxxxx' | dd of="$db" bs=1 seek=$((at * 4096 + 100 * $$ % 4000)) conv=notrunc 2>/dev/null; done ;;
	2) head -c 6000 "$db" >"$db.part" && mv "$db.part" "$db" ;;
	3) : >"$db" ;;
	esac
fi
exec "` + program + `" "$@"
`
}
