package cmd

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"chant/cmd/console"

	"github.com/alecthomas/assert/v2"
	"github.com/spf13/cobra"
)

// upstream lists the commands of the Rust chant 0.23.2 with their arguments and flags, as its definitions have them. A flag
// with "=" takes the value behind it.
func upstream() map[string]string {
	return map[string]string{
		"init":               "--name=x --silent --force-overwrite --minimal --agent=claude --provider=claude --model=x --merge-driver",
		"init prompts":       "",
		"add x":              "--prompt=standard --needs-approval --template=x --var=a=b",
		"approve 001":        "--by=x",
		"reject 001":         "--by=x --reason=x",
		"list":               "--ready --label=x --type=code --status=pending --approval=pending --created-by=x --activity-since=2d --mentions=x --count --main-only --summary --watch --brief --json",
		"show 001":           "--body --no-render --raw --clean",
		"edit 001":           "",
		"search x":           "--title-only --body-only --case-sensitive --status=pending --type=code --label=x --since=2d --until=1d --active-only --archived-only",
		"work 001":           "--prompt=standard --skip-deps --skip-criteria --parallel --parallel=0 --label=x --finalize --allow-no-commits --no-cleanup --cleanup --skip-approval --chain --chain-max=3 --no-merge --no-rebase --no-watch",
		"mcp":                "",
		"status":             "--watch --brief --json --disk --worktrees",
		"refresh":            "--verbose -v",
		"lint 001":           "--format=json -f=json --verbose -v",
		"log 001":            "--lines=5 -n=5 --no-follow --run=latest",
		"split 001":          "--model=x --force-status --recursive --max-depth=2",
		"archive":            "--dry-run --older-than=30 --allow-non-completed --force --commit --no-commit --no-stage",
		"archive 001":        "",
		"merge 001 002":      "--all --all-completed --list --ready --interactive -i --dry-run --delete-branch --continue-on-error --yes --rebase --auto --finalize",
		"diagnose 001":       "",
		"drift 001":          "",
		"drift":              "",
		"reset 001":          "--work --prompt=x --branch --branch=x",
		"pause 001":          "--force",
		"takeover 001":       "--force",
		"cancel 001":         "--skip-checks --delete --cascade --delete-branch --dry-run --yes",
		"config":             "--validate",
		"silent":             "--global --off --status",
		"version":            "--verbose -v",
		"export":             "--format=csv --status=pending --type=code --label=x --ready --from=2026-01-01 --to=2026-01-02 --fields=id --output=x -o=x",
		"activity":           "--by=x --since=2d --spec=001",
		"cleanup":            "--dry-run --yes --worktrees",
		"worktree":           "",
		"worktree status":    "",
		"verify 001":         "--all --label=x --exit-code --dry-run --prompt=x",
		"prep 001":           "--clean",
		"derive 001":         "--all --dry-run",
		"finalize 001":       "--merge",
		"merge-driver a b c": "",
		"completion bash":    "",
		"template":           "",
		"template list":      "",
		"template show x":    "",
		"site":               "",
		"site init":          "--force-overwrite",
		"site build":         "--output=x -o=x",
		"site serve":         "--port=8080 --output=x -p=8080 -o=x",
		"watch":              "--once --dry-run --poll-interval=1000",
		"dag":                "--detail=full --status=pending --label=x --type=code",
		"man":                "--out-dir=x",
	}
}

// TestUpstream_flags checks that each command and flag of the Rust chant is one of ours or is answered by a line.
func TestUpstream_flags(t *testing.T) {
	t.Parallel()
	for line, flags := range upstream() {
		a := &console.App{}
		for _, flag := range append(strings.Fields(flags), "") {
			root := newRoot(a)
			// cobra and console add these when they run.
			root.InitDefaultCompletionCmd()
			root.AddCommand(a.NewMan())
			c, rest, err := root.Find(strings.Fields(line))
			if err != nil || c == root {
				t.Errorf("chant %s: %v", line, err)
				break
			}
			args := rest
			if flag != "" {
				args = append(slices.Clone(rest), flag)
			}
			if err := c.ParseFlags(args); err != nil {
				t.Errorf("chant %s %s: %v", line, flag, err)
			} else if err := c.ValidateArgs(c.Flags().Args()); err != nil {
				t.Errorf("chant %s %s: %v", line, flag, err)
			}
		}
	}
}

// TestUpstream_forms runs the forms of the Rust chant's documents that combine flags and start no agent; each flag by itself is
// in TestUpstream_flags.
func TestUpstream_forms(t *testing.T) {
	t.Parallel()
	dir := emptyProject(t)
	for line, wanted := range map[string]string{
		"activity --by x --since 2d":                                 "no activity\n",
		"archive 001 --force":                                        "--force: a spec with a branch that has not landed",
		"cancel 001 --delete --cascade --dry-run":                    "has changes that are not committed",
		"cancel 001 --delete --skip-checks --dry-run":                "has changes that are not committed",
		"cancel 001 --delete-branch --yes --dry-run":                 "would cancel 2026-01-02-001-abc (pending): Begin\n",
		"cleanup --worktrees --yes":                                  "Nothing to clean up\n",
		"dag --detail minimal":                                       "o  2026-01-02-001-abc  ready",
		"dag --detail full --type code":                              "Begin  [code]\n",
		"derive --all --dry-run":                                     "Nothing to derive\n",
		"export --format csv --fields id,status --status pending":    "2026-01-02-001-abc",
		"init prompts":                                               "standard",
		"list --approval pending --created-by x --activity-since 2d": "",
		"list --approval pending --count":                            "0\n",
		"list --brief --summary":                                     "1 pending\n",
		"list --json --summary":                                      `"pending": 1`,
		"list --label x --status pending --type code":                "",
		"list --mentions x":                                          "",
		"list --summary":                                             "1 ready\n",
		"log 001 --no-follow -n 5":                                   "has no log",
		"merge --all --dry-run":                                      "Nothing to land\n",
		"merge --all --rebase --yes":                                 "Nothing to land\n",
		"merge --all-completed --delete-branch --yes":                "Nothing to land\n",
		"merge --all-completed --rebase --auto":                      "Nothing to land\n",
		"merge --list":                                               "Nothing to land\n",
		"refresh -v":                                                 "nothing has to be refreshed",
		"reset 001 --prompt standard":                                "add --work",
		"search Begin --body-only --case-sensitive":                  "",
		"search Begin --since 2w --status pending --type code":       "",
		"show 001 --clean":                                           "# Begin\n",
		"show 001 --raw":                                             "# Begin\n",
		"silent --status":                                            "not silent",
		"silent --off":                                               "commit them yourself",
		"silent --global":                                            "each project decides by itself",
		"status --disk":                                              "",
		"verify --all --dry-run --exit-code":                         "no completed spec to verify\n",
		"version -v":                                                 "system   ",
		"watch --once --dry-run --poll-interval 1000":                "",
		"work 001 --finalize":                                        "2026-01-02-001-abc",
		"work 001 --no-watch --no-rebase --dry-run":                  "--no-watch: work starts no watch",
		"work 001 --skip-criteria":                                   "hint: chant edit 001\n",
		"work 001 --provider kirocli --dry-run":                      "kiro-cli",
	} {
		var out bytes.Buffer
		code := Main(t.Context(), strings.Fields(line), Env{In: strings.NewReader(""), Out: &out, Err: &out, Dir: dir, Environ: os.Environ()})
		assert.NotEqual(t, 1, code, "chant %s: %s", line, out.String())
		assert.False(t, strings.Contains(out.String(), "unknown flag"), "chant %s: %s", line, out.String())
		assert.Contains(t, out.String(), wanted, "chant %s", line)
	}
}

// TestRustFlags_lines checks that each answer is complete: a flag of ours, a line, or a command that exists.
func TestRustFlags_lines(t *testing.T) {
	t.Parallel()
	root := newRoot(&console.App{})
	for _, f := range rustFlags() {
		kinds := 0
		for _, text := range []string{f.same, f.note, f.refused, f.run} {
			if text != "" {
				kinds++
			}
		}
		assert.Equal(t, 1, kinds, "--%s of %s", f.name, f.command)
		assert.Equal(t, f.refused == "", f.step.IsZero(), "the step of --%s of %s", f.name, f.command)
		c, _, err := root.Find([]string{f.command})
		assert.NoError(t, err)
		assert.True(t, c.Flags().Lookup(f.name).Hidden, "--%s of %s is in its help", f.name, f.command)
		if f.run != "" {
			other, _, err := root.Find(strings.Fields(f.run))
			assert.NoError(t, err)
			assert.NotEqual(t, (*cobra.Command)(nil), other)
		}
	}
}

// TestRustFlags_answers shows one flag of each kind: a line beside the result, a refusal and another command.
func TestRustFlags_answers(t *testing.T) {
	t.Parallel()
	for line, wanted := range map[string]struct {
		code int
		err  string
	}{
		"lint 001 --verbose":       {3, "--verbose: lint always prints the grades\n"},
		"list --main-only":         {2, "error: --main-only: "},
		"work 001 --skip-criteria": {2, "hint: chant edit 001\n"},
		"archive --no-commit":      {2, "hint: chant undo\n"},
		"show 001 --raw":           {3, "error: "},
		"work --parallel=x":        {2, `error: invalid value "x" for --parallel (use a whole number from 1 to 1000)`},
	} {
		_, errs, code := runLine(t, strings.Fields(line)...)
		assert.Equal(t, wanted.code, code, "%s: %s", line, errs)
		assert.Contains(t, errs, wanted.err, "%s", line)
	}
}
