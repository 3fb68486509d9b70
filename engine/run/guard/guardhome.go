package guard

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"

	"chant/engine/evidence/journal"
	"chant/engine/evidence/keyfile"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/store/config"
	"chant/gitops"
)

// homeFiles reads what a later run would believe as a person's decision in home's .chant: the settings, the trusted keys,
// and every uncommitted spec that asks for less than what is committed.
func (g *Guard) homeFiles(ctx context.Context) (map[string]string, error) {
	out := map[string]string{}
	for _, file := range []string{store.ConfigPath, config.AgentsPath} {
		src, err := g.Store.ReadTree(g.Store.Home(), file)
		if err == nil {
			out[file] = digest(src)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	if err := g.addTrustedKeys(out); err != nil {
		return nil, err
	}
	if g.Job.Silent {
		// There is no commit to compare with.
		return out, nil
	}
	less, err := g.weakenedSpecs(ctx)
	if err != nil || len(less) == 0 {
		return out, err
	}
	// A landing or a checkout may be under way: git writes one file after the other, and half a spec asks for less.
	// What remains after it has ended counts.
	if err := g.Repo.AwaitIndex(ctx, g.Store.Home()); err != nil {
		return nil, err
	}
	still, err := g.weakenedSpecs(ctx)
	for path, sum := range less {
		if still[path] == sum {
			out[path] = sum
		}
	}
	return out, err
}

// weakenedSpecs returns the uncommitted specs in home that ask for less than what is committed.
func (g *Guard) weakenedSpecs(ctx context.Context) (map[string]string, error) {
	out := map[string]string{}
	changed, err := g.changedSpecs(ctx)
	if err != nil {
		return nil, err
	}
	for _, path := range changed {
		id, isSpec := store.SpecOf(path)
		if !isSpec {
			continue
		}
		src, err := g.Store.ReadTree(g.Store.Home(), path)
		if err == nil && g.asksLess(ctx, id, src) {
			out[path] = digest(src)
		}
	}
	return out, nil
}

// maxReadSpecs is up to how many specs reading their files takes less time than a git process.
const maxReadSpecs = 100

// changedSpecs returns the paths of the specs in home that differ from the commit that is checked out there, and maybe
// of others whose texts are the same.
func (g *Guard) changedSpecs(ctx context.Context) ([]string, error) {
	var paths []string
	committed, err := g.Repo.ReadDir(ctx, "HEAD", store.SpecsDir)
	// A git process takes longer than reading that many files.
	if err == nil && len(committed) <= maxReadSpecs && g.Repo.Dir() == g.Store.Home() {
		for _, e := range committed {
			path := store.SpecsDir + "/" + e.Name
			src, err := g.Store.ReadTree(g.Store.Home(), path)
			if err == nil && !gitops.IsBlob(src, e.Hash) {
				paths = append(paths, path)
			}
		}
		return paths, nil
	}
	changed, err := g.Repo.Status(ctx, g.Store.Home(), store.SpecsDir)
	if err != nil {
		return nil, err
	}
	for _, c := range changed {
		if c.Code != "??" {
			paths = append(paths, c.Path)
		}
	}
	return paths, nil
}

// asksLess reports whether a spec in home asks for less than home's commit of it. It reports nothing about a spec that
// cannot be read.
func (g *Guard) asksLess(ctx context.Context, id string, src []byte) bool {
	head, err := g.Repo.Head(ctx, g.Store.Home())
	if err != nil {
		return false
	}
	before, err := g.Store.ReadAt(ctx, head.Hash, id)
	if err != nil {
		return false
	}
	now, err := g.Store.Parse(id, store.SpecPath(id), src)
	store.AdoptHome(g.Store, now)
	// A spec that cannot be read any more asks for nothing.
	return err != nil || len(spec.WeakenedChecks(before, now)) > 0
}

// addTrustedKeys adds the trusted keys in home.
func (g *Guard) addTrustedKeys(to map[string]string) error {
	trusted, err := keyfile.TrustedIn(filepath.Join(g.Store.Home(), filepath.FromSlash(store.KeysDir)))
	// A file that is not a key trusts nothing.
	if _, bad := errors.AsType[*keyfile.FileError](err); err != nil && !bad {
		return err
	}
	for _, t := range trusted {
		to[store.KeysDir+"/"+keyfile.FileOf(t.Name)] = t.Key.ID()
	}
	return nil
}

// addOwnKey adds the key with which this machine signs to what git runs: an agent that made it could sign anything.
func (g *Guard) addOwnKey(to map[string]string) error {
	own, err := keyfile.Load(g.Environ)
	if err == nil && own != nil {
		to[journal.MachineKey] = own.Public.ID()
	}
	return err
}

func digest(src []byte) string {
	sum := sha256.Sum256(src)
	return hex.EncodeToString(sum[:8])
}
