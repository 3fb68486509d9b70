package e2e

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// writesCommands lists the files below the entry points that spell out commands, since their texts are written into
// repositories: hook scripts, git's settings and the author of a demo's commits. Annotations in CI are titled by the
// name of the program and a rule, which is not a command.
func writesCommands() []string {
	return []string{
		"engine/format/hooks/block.go", "engine/format/hooks/script.go", "engine/verify/gate/gitsettings.go", "engine/format/hooks/driver.go", "engine/setup/demo.go",
		"engine/format/report/annotations.go",
	}
}

// notInitialized is the text of the contract for a folder without a project.
const notInitialized = "Chant not initialized. Run `chant init` first."

// TestLayers_commands checks that no package below the entry points spells out a command of chant: a next step is a
// value of engine/spec/next, which alone knows how it is written.
func TestLayers_commands(t *testing.T) {
	t.Parallel()
	names := commandNames(t)
	assert.True(t, len(names) >= 30, "the commands of cmd are read as %q", names)
	assert.SliceContains(t, names, "work", "the commands of cmd are read")
	assert.SliceContains(t, names, "merge-driver", "the commands of cmd are read")
	command := regexp.MustCompile(`(^|[^.\w-])chant ((help|completion|` + strings.Join(names, "|") + `)\b|--?[a-zA-Z]|%|$)`)
	exempt := map[string]bool{}
	for dir, files := range goFiles(t) {
		if top, _, _ := strings.Cut(dir, "/"); !slices.Contains([]string{"engine", "gitops", "providers", "markdown", "archive"}, top) {
			continue
		}
		for _, name := range files {
			file := path.Join(dir, name)
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			for _, text := range stringsIn(t, file) {
				switch found := command.FindString(text); {
				case found == "" || text == notInitialized:
				case slices.Contains(writesCommands(), file):
					exempt[file] = true
				default:
					t.Errorf("%s spells out %q: return a Step of engine/spec/next, or name the operation alone\n%s", file, found, text)
				}
			}
		}
	}
	for _, file := range writesCommands() {
		assert.True(t, exempt[file], "%s spells out no command; take it off the list", file)
	}
}

// commandNames lists the first words of the Use of every command in cmd.
func commandNames(t *testing.T) []string {
	t.Helper()
	var names []string
	for dir, files := range goFiles(t) {
		if top, _, _ := strings.Cut(dir, "/"); top != "cmd" {
			continue
		}
		for _, name := range files {
			ast.Inspect(parse(t, path.Join(dir, name), 0), func(n ast.Node) bool {
				pair, ok := n.(*ast.KeyValueExpr)
				if !ok {
					return true
				}
				key, _ := pair.Key.(*ast.Ident)
				value, _ := pair.Value.(*ast.BasicLit)
				if key != nil && key.Name == "Use" && value != nil {
					word, _, _ := strings.Cut(literal(t, value), " ")
					names = append(names, regexp.QuoteMeta(word))
				}
				return true
			})
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// stringsIn lists the string literals of a file, tags of fields included.
func stringsIn(t *testing.T, file string) []string {
	t.Helper()
	var out []string
	ast.Inspect(parse(t, file, 0), func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			out = append(out, literal(t, l))
		}
		return true
	})
	return out
}

func literal(t *testing.T, l *ast.BasicLit) string {
	t.Helper()
	text, err := strconv.Unquote(l.Value)
	assert.NoError(t, err)
	return text
}
