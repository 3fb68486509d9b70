package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// linkings returns what an agent can put in the way of what chant itself reads, writes, links and removes for its run, or for
// the next one: shell in which $admin is git's folder of the worktree, $home the checkout and $bait a folder outside with a
// file called mine.
func linkings() map[string]string {
	return map[string]string{
		"a second name, and links beside it":       `echo evil > "$admin/aaa"; ln "$admin/aaa" "$admin/bbb"; for n in aaa.plain bbb.plain .chant-aaa; do ln -s "$bait/mine" "$admin/$n"; done`,
		"the settings of the worktree":             `ln -s "$bait/mine" "$admin/config.worktree"`,
		"the settings of the worktree, by a chain": `ln -s "$bait" x; ln -s "$PWD/x/new" "$admin/config.worktree"`,
		"the place of the repository":              `rm "$admin/commondir"; ln -s "$bait/mine" "$admin/commondir"`,
		"the place of the worktree":                `rm "$admin/gitdir"; ln -s "$bait/new" "$admin/gitdir"`,
		"the index":                                `rm "$admin/index"; ln -s "$bait/mine" "$admin/index"`,
		"the lock of the index, a folder":          `mkdir "$admin/index.lock"; ln -s "$bait" "$admin/index.lock/x"`,
		"what git knows of a commit":               `git add -A; git commit -qm work; ln -sf "$bait/mine" "$admin/ORIG_HEAD"; ln -sf "$bait/mine" "$admin/COMMIT_EDITMSG"`,
		"the folder of specs":                      `mv .chant/specs .chant/s; ln -s "$home/.chant/specs" .chant/specs; chant update $CHANT_SPEC_ID --label evil; rm .chant/specs; mv .chant/s .chant/specs`,
		"the folder of chant":                      `mv .chant c; ln -s "$home/.chant" .chant; chant update $CHANT_SPEC_ID --label evil; rm .chant; mv c .chant`,
		"the spec":                                 `cp "$spec" s; rm "$spec"; ln -s "$home/$spec" "$spec"; chant update $CHANT_SPEC_ID --label evil; rm "$spec"; mv s "$spec"`,
		"its .git":                                 `rm .git; ln -s "$bait/mine" .git`,
		"the worktree's folders, all of them":      `git rm -rq --cached .; rm -rf sub; ln -s "$bait" sub; ln -s "$bait" .cursor; ln -s "$bait" .gemini; git add -A . 2>/dev/null`,
		"the cache of cargo":                       `rm -rf "$CARGO_HOME"; ln -s "$bait" "$CARGO_HOME"`,
		"the cache of cargo, relative":             `rm -rf "$CARGO_HOME"; ln -s "../../../bait" "$CARGO_HOME"`,
		"settings of cargo":                        `mkdir -p "$CARGO_HOME"; rm -f "$CARGO_HOME/config.toml"; ln -s "$bait/mine" "$CARGO_HOME/config.toml"`,
		"the scripts of gradle":                    `mkdir -p "$GRADLE_USER_HOME"; ln -s "$bait" "$GRADLE_USER_HOME/init.d"`,
		"every cache":                              `c=$(dirname "$CARGO_HOME"); for n in bundle ccache sccache uv m2 npm dotnet; do rm -rf "$c/$n"; ln -s "$bait" "$c/$n"; done`,
		"caches without rights":                    `c=$(dirname "$CARGO_HOME"); mkdir -p "$c/go-build/00"; chmod 0 "$c/go-build/00" "$c/go-build"; chmod 0777 "$c"`,
		"caches that cannot be entered":            `chmod 0 "$(dirname "$CARGO_HOME")"`,
		"the repositories of submodules":           `printf '[submodule "m"]\n path = m\n url = ./m\n' > .gitmodules; mkdir -p "$admin/modules"; for n in m m2 config HEAD; do ln -s "$bait" "$admin/modules/$n"; done`,
		"the log of its commits":                   `git add -A; git commit -qm work; rm "$admin/logs/HEAD"; ln -s "$bait/mine" "$admin/logs/HEAD"; rm -rf "$admin/logs"; ln -s "$bait" "$admin/logs"`,
		"a rebase that is under way":               `mkdir "$admin/rebase-merge"; for n in head-name onto orig-head git-rebase-todo author-script autostash message; do ln -s "$bait/mine" "$admin/rebase-merge/$n"; done; ln -s "$bait" "$admin/rebase-apply"`,
		"a second name of its spec and its work":   `ln "$spec" "$CARGO_HOME/../spec"; ln "$spec" "$TMPDIR/spec"; echo evil > x2.txt; ln x2.txt x3.txt; ln x2.txt "$admin/x2"`,
		"pipes among settings of tools":            `mkdir -p "$CARGO_HOME" "$GRADLE_USER_HOME"; for n in "$CARGO_HOME/config.toml" "$CARGO_HOME/credentials.toml" "$GRADLE_USER_HOME/init.d" "$GRADLE_USER_HOME/gradle.properties"; do rm -rf "$n"; mkfifo "$n"; done`,
		"pipes and files in the place of caches":   `c=$(dirname "$CARGO_HOME"); for n in cargo bundle ccache sccache uv m2 npm; do rm -rf "$c/$n"; mkfifo "$c/$n"; done; for n in gradle dotnet; do rm -rf "$c/$n"; : > "$c/$n"; done`,
		"files of a TiB among settings of tools":   `mkdir -p "$CARGO_HOME"; rm -f "$CARGO_HOME/config.toml"; truncate -s 1T "$CARGO_HOME/config.toml"; mkdir -p "$CARGO_HOME/bin"; truncate -s 1T "$CARGO_HOME/bin/x"`,
		"the file of another spec":                 `git rm -q --cached .chant/specs/2026-01-02-002-def.md; rm .chant/specs/2026-01-02-002-def.md; ln -s "$bait/mine" .chant/specs/2026-01-02-002-def.md; chant update 2026-01-02-002-def --label evil; git add -A`,
		"temporary files":                          `ln -s "$bait" "$TMPDIR/x"; mkdir -p "$TMPDIR/y/z"; ln -s "$bait/mine" "$TMPDIR/y/z/a"; chmod 0 "$TMPDIR/y/z" "$TMPDIR/y"`,
	}
}

// TestCheats_links has an agent put links, second names, folders and modes where chant works with its own rights, then has
// another spec worked. Nothing outside of the runs is changed, and the second run lands.
func TestCheats_links(t *testing.T) {
	t.Parallel()
	needsWall(t)
	for name, script := range linkings() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 6)
			p := newCheated(t, true)
			for path, text := range map[string]string{"bait/mine": "mine\n", "bait/config.toml": "mine\n", ".cargo/config.toml": "[net]\n", ".gradle/init.d/a.gradle": "\n"} {
				full := p.home(filepath.FromSlash(path))
				assert.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
				assert.NoError(t, os.WriteFile(full, []byte(text), 0o644))
			}
			p.addFile(otherID, boxSpec("echo y > y.txt\n"+ticks))
			p.addFile(ownID, boxSpec("echo x > x.txt\n"+ticks+`admin=$(git rev-parse --absolute-git-dir) bait="$HOME/bait"`+"\n"+script))
			around := p.lookOutside()
			p.try(nil, "work", ownID) // which need not land
			p.nothingElse(around, ownID)
			around = p.lookOutside()
			p.chant("work", otherID)
			p.nothingElse(around, otherID)
			p.try(nil, "reset", ownID)
			assert.Equal(t, "mine\n", read(t, p.home("bait/mine")), "the file outside")
		})
	}
}

// TestCheats_linksSetUp has the first attempt of an agent lead folders of its worktree elsewhere in which the second gets
// links and copies of ignored files by the settings.
func TestCheats_linksSetUp(t *testing.T) {
	t.Parallel()
	needsWall(t)
	for name, script := range map[string]string{
		"a link":            `rm -rf web; ln -s "$HOME/bait" web`,
		"a relative link":   `rm -rf web; ln -s ../../../../bait web`,
		"a link to a link":  `rm -rf web; ln -s "$HOME/bait" to; ln -s to web`,
		"a link to home":    `rm -rf web; ln -s "$home" web`,
		"a link further up": `rm -rf web; mkdir web; ln -s "$HOME/bait" web/deep`,
		"a file":            `rm -rf web; : > web`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 3)
			p := newCheated(t, true)
			assert.NoError(t, os.Mkdir(p.home("bait"), 0o755))
			p.write(".chant/config.md", "---\nworktree: {link: [web/node_modules, web/deep/lib], copy: [web/.env, web/deep/.env]}\ndefaults: {provider: shell}\n---\n")
			p.write(".gitignore", "node_modules\nlib\n.env\n")
			for _, file := range []string{"web/kept", "web/deep/kept", "web/node_modules/x", "web/deep/lib/x", "web/.env", "web/deep/.env"} {
				p.write(file, "x\n")
			}
			p.git("add", "-A")
			p.git("commit", "-q", "-m", "web")
			p.addFile(ownID, boxSpec("echo x > x.txt\n"+ticks+`if [ $CHANT_ATTEMPT = 1 ]; then `+script+`; exit 1; fi`))
			around := p.lookOutside()
			p.try(nil, "work", ownID)
			p.try(nil, "work", ownID, "--continue")
			p.try(nil, "work", ownID)
			p.nothingElse(around, ownID)
			found, err := os.ReadDir(p.home("bait"))
			assert.NoError(t, err, "chant has made %v", found)
			assert.Zero(t, found, "chant has made %v", found)
		})
	}
}

// TestCheats_linksSettings has an agent put a link in a folder to which it may write by the settings, where another setting names
// a path: what that allows is the folder of the agent, not what the link leads to.
func TestCheats_linksSettings(t *testing.T) {
	t.Parallel()
	needsWall(t)
	for name, c := range map[string]struct{ sandbox, script, criterion string }{
		"for criteria":                 {"write: [~/data], checks: [~/data/db]", `rm -rf "$HOME/data/db"; ln -s "$HOME/bait" "$HOME/data/db"`, `echo evil > "$HOME/bait/mine"`},
		"for criteria, further down":   {"write: [~/data], checks: [~/data/db/deep]", `rm -rf "$HOME/data/db"; ln -s "$HOME" "$HOME/data/db"; mv "$HOME/data" . || true`, `echo evil > "$HOME/deep/mine"`},
		"for criteria, by another way": {"write: [~/data], checks: [~/way/db]", `rm -rf "$HOME/data/db"; ln -s "$HOME/bait" "$HOME/data/db"`, `echo evil > "$HOME/bait/mine"`},
		"for the state of a CLI":       {"write: [~/data, ~/data/db]", `rm -rf "$HOME/data/db"; ln -s "$HOME/bait" "$HOME/data/db"; [ $CHANT_ATTEMPT = 2 ] || exit 1; echo evil > "$HOME/bait/mine"`, "true"},
		"for reading":                  {"write: [~/data], read: [~/data/db]", `rm -rf "$HOME/data/db"; ln -s "$HOME/bait" "$HOME/data/db"; [ $CHANT_ATTEMPT = 2 ] || exit 1; cp "$HOME/bait/mine" stolen.txt`, "true"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 3)
			p := newCheated(t, true)
			for _, file := range []string{"../bait/mine", "../data/db/deep/x", "../deep/mine"} {
				p.write(file, "mine\n")
			}
			assert.NoError(t, os.Symlink("data", p.home("way")))
			p.write(".chant/config.md", "---\ndefaults: {provider: shell}\nsandbox: {"+c.sandbox+"}\n---\n")
			p.does("git commit -q -a -m settings")
			p.addFile(ownID, strings.Replace(boxSpec("echo x > x.txt\n"+ticks+c.script), "- [ ] a person", "- [ ] it holds `$ "+c.criterion+"; true`\n- [ ] a person", 1))
			p.try(nil, "work", ownID)
			p.try(nil, "work", ownID, "--continue")
			p.try(nil, "work", ownID)
			for _, file := range []string{"bait/mine", "deep/mine"} {
				assert.Equal(t, "mine\n", read(t, p.home(file)), "%s", file)
			}
			code, _ := p.shell("git cat-file -e chant/" + ownID + ":stolen.txt || git cat-file -e main:stolen.txt")
			assert.NotEqual(t, 0, code, "what the settings do not allow was read")
		})
	}
}
