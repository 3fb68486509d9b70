package e2e

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// blockades returns what an agent can leave in the folder of the branches of runs, by name: shell in which $refs and $logs
// are the folders of the branches and of their reflogs, and $other the id of a spec that is worked afterwards.
func blockades() map[string]string {
	return map[string]string{
		"a symbolic ref to main":             `echo "ref: refs/heads/main" > "$refs/$other"`,
		"a symbolic ref to nothing":          `echo "ref: refs/heads/none" > "$refs/$other"`,
		"a symbolic ref to its own branch":   `echo "ref: refs/heads/chant/$CHANT_SPEC_ID" > "$refs/$other"`,
		"a folder with a lock":               `mkdir "$refs/$other"; : > "$refs/$other/x.lock"`,
		"folders in folders":                 `mkdir -p "$refs/$other/a/b/c"; : > "$refs/$other/a/b/c/HEAD.lock"; echo junk > "$refs/$other/a/b/d"`,
		"a folder that cannot be listed":     `mkdir "$refs/$other"; : > "$refs/$other/x.lock"; chmod 0 "$refs/$other"`,
		"the lock":                           `: > "$refs/$other.lock"`,
		"a folder instead of the lock":       `mkdir "$refs/$other.lock"; echo x > "$refs/$other.lock/x"`,
		"a folder instead of the reflog":     `mkdir -p "$logs/$other/x"; echo x > "$logs/$other/x/y"`,
		"a branch below the branch":          `git branch "chant/$other/x"; git branch "chant/$other/y/z"`,
		"a symbolic ref below the branch":    `mkdir "$refs/$other"; echo "ref: refs/heads/main" > "$refs/$other/x"`,
		"text":                               `echo text > "$refs/text"; : > "$refs/empty"; echo text > "$refs/a b"; truncate -s 1T "$refs/large"`,
		"names that no ref has":              `git rev-parse HEAD > "$refs/..x"; git rev-parse HEAD > "$refs/a~1"`,
		"folders of more than 4096 bytes":    `cd "$refs"; i=0; while [ $i -lt 3000 ]; do mkdir deep && cd deep || break; i=$((i+1)); done; cd "$CHANT_WORKTREE_PATH"`,
		"its own lock, and that of HEAD":     `: > "$refs/$CHANT_SPEC_ID.lock"`,
		"a folder instead of its own lock":   `mkdir "$refs/$CHANT_SPEC_ID.lock"; : > "$refs/$CHANT_SPEC_ID.lock/x"`,
		"its own branch as another for main": `git add -A; git commit -qm work; echo "ref: refs/heads/main" > "$refs/$CHANT_SPEC_ID"`,

		"a link to main": `ln -s ../main "$refs/$other"`,
		"a link, as git once wrote symbolic refs":   `ln -s refs/heads/main "$refs/$other"`,
		"a link to nothing":                         `ln -s refs/heads/none "$refs/$other"; ln -s "$HOME/none" "$logs/$other"`,
		"another name of main":                      `ln "$home/.git/refs/heads/main" "$refs/$other"`,
		"a folder that leads to all branches":       `ln -s .. "$refs/up"; ln -s "$home/.git/refs" "$refs/$other"`,
		"many folders that lead to all branches":    `i=0; while [ $i -lt 300 ]; do ln -s .. "$refs/up$i"; i=$((i+1)); done`,
		"a reflog that leads to the settings":       `ln -s ../../../../config "$logs/$other"`,
		"a reflog that leads to a file of the user": `ln -s "$HOME/.bashrc" "$logs/$other"; ln -s "$HOME/.bashrc" "$logs/$CHANT_SPEC_ID.new" && mv -f "$logs/$CHANT_SPEC_ID.new" "$logs/$CHANT_SPEC_ID"`,
		"a reflog that is another name of a file":   `ln "$HOME/.bashrc" "$logs/$other"; ln "$home/.git/config" "$logs/$other"`,
		"a lock that leads to a file of the user":   `ln -s "$HOME/.bashrc" "$refs/$other.lock"; ln -s "$home/.git/refs/heads/main" "$refs/$CHANT_SPEC_ID.lock"`,
		"a tree":                              `git rev-parse 'HEAD^{tree}' > "$refs/$other"`,
		"a file's content":                    `echo x | git hash-object -w --stdin > "$refs/$other"`,
		"a tag":                               `printf 'object %s\ntype commit\ntag x\ntagger a <a@b> 0 +0000\n\nx\n' "$(git rev-parse HEAD)" | git mktag > "$refs/$other"`,
		"a commit of its own":                 `git add -A; git commit -qm work; git rev-parse HEAD > "$refs/$other"`,
		"a commit that is not there":          `echo 1234567890123456789012345678901234567890 > "$refs/$other"`,
		"nothing but zeros":                   `echo 0000000000000000000000000000000000000000 > "$refs/$other"`,
		"its own branch as a tree":            `git add -A; git commit -qm work; git rev-parse 'HEAD^{tree}' > "$refs/$CHANT_SPEC_ID"`,
		"its own branch as a link to main":    `git add -A; git commit -qm work; rm "$refs/$CHANT_SPEC_ID"; ln -s ../main "$refs/$CHANT_SPEC_ID"`,
		"its own branch as main's commit":     `git rev-parse main > "$refs/$CHANT_SPEC_ID"`,
		"its own branch removed":              `rm "$refs/$CHANT_SPEC_ID"`,
		"HEAD on the branch of the other":     `echo "ref: refs/heads/chant/$other" > "$adm/HEAD"`,
		"HEAD on main":                        `echo "ref: refs/heads/main" > "$adm/HEAD"`,
		"HEAD outside of refs":                `echo "ref: ../../../.bashrc" > "$adm/HEAD"`,
		"HEAD as a link":                      `rm "$adm/HEAD"; ln -s ../../refs/heads/main "$adm/HEAD"`,
		"HEAD as a link to the checkout's":    `rm "$adm/HEAD"; ln -s ../../HEAD "$adm/HEAD"`,
		"a rebase of the other":               `mkdir "$adm/rebase-merge"; echo "refs/heads/chant/$other" > "$adm/rebase-merge/head-name"`,
		"a rebase of main":                    `mkdir "$adm/rebase-apply"; echo "refs/heads/main" > "$adm/rebase-apply/head-name"; : > "$adm/rebase-apply/rebasing"`,
		"an update of refs by a rebase":       `mkdir "$adm/rebase-merge"; printf 'refs/heads/chant/%s\n%s\n%s\nrefs/heads/main\n%s\n%s\n' "$other" $(git rev-parse HEAD HEAD) $(git rev-parse HEAD HEAD) > "$adm/rebase-merge/update-refs"; git rev-parse HEAD > "$adm/rebase-merge/orig-head"`,
		"a bisection of the other":            `echo "chant/$other" > "$adm/BISECT_START"; git rev-parse HEAD > "$adm/BISECT_HEAD"; : > "$adm/BISECT_LOG"`,
		"pseudo refs that are main":           `for x in ORIG_HEAD FETCH_HEAD MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD AUTO_MERGE REBASE_HEAD BISECT_HEAD; do echo "ref: refs/heads/main" > "$adm/$x"; done`,
		"pseudo refs that are links to main":  `for x in ORIG_HEAD FETCH_HEAD MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD AUTO_MERGE MERGE_MSG; do ln -s ../../refs/heads/main "$adm/$x"; done`,
		"pseudo refs that are folders":        `for x in ORIG_HEAD FETCH_HEAD MERGE_HEAD CHERRY_PICK_HEAD AUTO_MERGE MERGE_MSG COMMIT_EDITMSG; do mkdir "$adm/$x"; : > "$adm/$x/x"; done`,
		"refs of its worktree":                `mkdir -p "$adm/refs/heads/chant" "$adm/refs/bisect" "$adm/refs/worktree" "$adm/refs/rewritten"; for x in heads/main heads/chant/$other bisect/bad worktree/x rewritten/y; do echo "ref: refs/heads/main" > "$adm/refs/$x"; done`,
		"packed refs of its worktree":         `echo "$(git rev-parse HEAD) refs/heads/main" > "$adm/packed-refs"; echo x > "$adm/shallow"; mkdir -p "$adm/info"; git rev-parse HEAD > "$adm/info/grafts"`,
		"logs of its worktree that lead away": `rm -rf "$adm/logs"; ln -s "$HOME" "$adm/logs"; ln -s .bashrc "$HOME/HEAD"`,
		"a log of HEAD that leads away":       `ln -sf "$HOME/.bashrc" "$adm/logs/HEAD"`,
		"replaced commits, in all places":     `b=$(git rev-parse HEAD); m=$(git rev-parse main); mkdir -p "$home/.git/refs/replace"; echo $b > "$home/.git/refs/replace/$m"; mkdir -p "$adm/refs/replace"; echo $b > "$adm/refs/replace/$m"; echo "$m" > "$home/.git/info/grafts"; echo "$m" > "$home/.git/shallow"; mkdir -p "$refs/../../replace"; echo $b > "$refs/../../replace/$m"`,
		"objects from elsewhere":              `echo "$PWD/objects" > "$home/.git/objects/info/alternates"; mkdir -p "$home/.git/objects/info/commit-graphs"; echo x > "$home/.git/objects/info/commit-graph"; echo x > "$home/.git/objects/pack/multi-pack-index"; echo x > "$home/.git/objects/pack/pack-$(git rev-parse HEAD).idx"`,
		oddNames:                              `h=$(git rev-parse HEAD); for x in "--help" "-x" "HEAD" "a;b" '$(id)' "ü" "$(printf 'a%.0s' $(seq 250))"; do echo $h > "$refs/$x"; done; printf '%s\n' $h > "$refs/$(printf 'n\nl')"; printf '%s\n' $h > "$refs/$(printf '\377')"`,
	}
}

// oddNames are valid names of branches.
const oddNames = "long names, and names for a shell"

// together has plants in different places be those of one agent: in the place of the other branch, in that of its own, in HEAD,
// and elsewhere. Their names are joined.
func together(plants map[string]string) map[string]string {
	var places [4][]string
	for _, name := range slices.Sorted(maps.Keys(plants)) {
		script, place := plants[name], 3
		for i, mark := range []string{"$other", "$CHANT_SPEC_ID", "$adm/HEAD"} {
			if strings.Contains(script, mark) {
				place = i
				break
			}
		}
		places[place] = append(places[place], name)
	}
	out := map[string]string{}
	for i := range slices.Max([]int{len(places[0]), len(places[1]), len(places[2]), len(places[3])}) {
		var names, scripts []string
		for _, in := range slices.Backward(places[:]) { // what ends without a branch or HEAD of its own comes last
			if i < len(in) {
				names, scripts = append(names, in[i]), append(scripts, "("+plants[in[i]]+"\n)")
			}
		}
		out[strings.Join(names, " and ")] = strings.Join(scripts, "\n")
	}
	return out
}

// TestCheats_refs has an agent leave something among the branches of runs that leads git or chant to another ref, or is in
// the way of a branch. Its own run ends, another spec is worked and lands, and nothing of it stays.
func TestCheats_refs(t *testing.T) {
	t.Parallel()
	needsWall(t)
	for name, script := range together(blockades()) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 6)
			p := newCheated(t, true)
			p.addFile(otherID, boxSpec("echo y > y.txt\n"+ticks))
			p.addFile(ownID, boxSpec("echo x > x.txt\n"+ticks+`refs="$home/.git/refs/heads/chant" logs="$home/.git/logs/refs/heads/chant" adm="$(git rev-parse --absolute-git-dir)" other=`+otherID+"\nset +e\n"+script+"\ntrue"))
			p.does(`echo "export X=1" > "$HOME/.bashrc"`)
			kept := func() string {
				return p.git("config", "--list", "--local") + read(t, p.home(".bashrc")) + p.git("symbolic-ref", "HEAD")
			}
			base, before := p.git("rev-parse", "main"), kept()
			p.try(nil, "work", ownID) // which need not land
			_, errs, code := p.try(nil, "list")
			assert.Equal(t, 0, code, "list ends with %s", errs)
			p.chant("work", otherID)
			assert.Equal(t, "completed", p.statusOnMain(otherID))
			assert.Equal(t, before, kept(), "settings and files are")
			if log := p.git("log", "--first-parent", "--format=%H", "main"); !strings.Contains(log, base) || p.git("status", "--porcelain") != "" {
				t.Errorf("main has moved away from %s, or the checkout was changed:\n%s\n%s", base, log, p.git("status", "--porcelain"))
			}
			if strings.Contains(name, oddNames) { // of branches that are in nobody's way
				return
			}
			found := strings.TrimSuffix(p.git("for-each-ref", "--format=%(refname)%(symref)", "refs/heads"), "\nrefs/heads/main")
			if found != "refs/heads/main" && found != "refs/heads/chant/"+ownID {
				t.Errorf("the branches are\n%s\nwant main, and that of a run that did not land", found)
			}
			left, err := os.ReadDir(filepath.Join(p.dir, ".git", "refs", "heads", "chant"))
			assert.False(t, err != nil && !os.IsNotExist(err), "%v", err)
			for _, e := range left {
				assert.False(t, e.Name() != "kept-by-chant.lock" && e.Name() != ownID, "%q stays among the branches of runs", e.Name())
			}
		})
	}
}

// TestCheats_manyRefs has an agent add more branches than anyone needs: a rescue ref keeps their commits, and the branches of
// runs and a few others stay.
func TestCheats_manyRefs(t *testing.T) {
	t.Parallel()
	needsWall(t)
	for name, c := range map[string]struct {
		count, left int
	}{"a few": {5, 5}, "many": {1000, 0}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 3)
			p := newCheated(t, true)
			p.addFile(ownID, boxSpec("echo x > x.txt\n"+ticks+fmt.Sprintf(`h=$(git commit-tree -m kept HEAD^{tree}); i=0; while [ $i -lt %d ]; do echo $h > "$home/.git/refs/heads/chant/x$i"; i=$((i+1)); done; echo "kept $h"`, c.count)))
			p.chant("work", ownID)
			assert.Equal(t, c.left, len(strings.Fields(p.git("for-each-ref", "--format=%(refname)", "refs/heads/chant"))))
			_, kept, _ := strings.Cut(p.chant("log", ownID), "kept ")
			kept, _, _ = strings.Cut(kept, "\n")
			assert.NotEqual(t, "", p.git("for-each-ref", "--contains", kept, "--count=1", "--format=%(refname)"), "no ref has commit %s", kept)
		})
	}
}

// TestCheats_headOfAnother has an agent make the worktree of its run one of another run's branch, with another version of that
// spec in it: nobody reads or writes the spec there.
func TestCheats_headOfAnother(t *testing.T) {
	t.Parallel()
	for _, walled := range []bool{true, false} {
		t.Run(fmt.Sprintf("walled %t", walled), func(t *testing.T) {
			t.Parallel()
			p := newCheated(t, walled)
			p.addFile(otherID, boxSpec("echo y > y.txt; git add -A; git commit -qm y; exit 1"))
			p.try(nil, "work", otherID)
			p.does("git worktree remove --force .chant/worktrees/" + otherID)
			spec := ".chant/specs/" + otherID + ".md"
			p.addFile(ownID, boxSpec("other="+otherID+"\n"+`git show "chant/$other:.chant/specs/$other.md" | sed 's/^status: .*/status: completed\nlabels: [forged]/' > .chant/specs/$other.md
echo "ref: refs/heads/chant/$other" > "$(git rev-parse --absolute-git-dir)/HEAD"; exit 1`))
			p.try(nil, "work", ownID)
			out := p.chant("show", otherID)
			assert.NotContains(t, out, "forged", "it is shown as the agent of another run has written it:")
			assert.Contains(t, out, "failed", "it is shown as the agent of another run has written it:")
			p.chant("update", otherID, "--label", "mine")
			if text := read(t, filepath.Join(p.dir, ".chant", "worktrees", ownID, spec)); strings.Contains(text, "mine") {
				t.Errorf("the worktree of another run has the change:\n%s", text)
			}
			text := p.git("show", "chant/"+otherID+":"+spec)
			assert.Contains(t, text, "mine", "the branch has")
			assert.NotContains(t, text, "forged", "the branch has")
			p.chant("reset", ownID)
			p.does("sed -i 's/; exit 1$//; s/^- \\[ \\]/- [x]/' " + spec + "; git commit -qam again")
			p.chant("reset", otherID)
			p.chant("work", otherID)
		})
	}
}

// TestCheats_noCommits has an agent make the branch of another run something else than a commit: it is put back, with its work.
func TestCheats_noCommits(t *testing.T) {
	t.Parallel()
	p := newCheated(t, true)
	values := map[string]string{
		"tree": `git rev-parse 'HEAD^{tree}'`, "blob": "echo x | git hash-object -w --stdin", "zeros": "echo 0000000000000000000000000000000000000000",
		"missing": "echo 1234567890123456789012345678901234567890", "link": "echo ref: refs/heads/main", "text": "echo text",
		"tag": `printf 'object %s\ntype commit\ntag x\ntagger a <a@b> 0 +0000\n\nx\n' "$(git rev-parse HEAD)" | git mktag`,
	}
	before, script := map[string]string{}, ""
	for kind, value := range values {
		id := "2026-01-02-009-" + kind
		p.addFile(id, boxSpec("echo "+kind+" > "+kind+".txt; git add -A; git commit -qm work; exit 1"))
		p.try(nil, "work", id)
		before[id] = p.git("rev-parse", "chant/"+id)
		script += value + ` > "$home/.git/refs/heads/chant/` + id + "\"\n"
	}
	p.addFile(ownID, boxSpec("echo x > x.txt\n"+ticks+script))
	p.chant("work", ownID)
	for id, was := range before {
		assert.Equal(t, was, p.git("rev-parse", "chant/"+id), "the branch of %s", id)
		assert.Contains(t, p.chant("show", id), "failed")
		p.chant("reset", id)
	}
}
