package touched

import (
	"maps"
	"path"
	"slices"
)

// lentPlaces are the places of files and folders that git ignores and that worktrees get from the checkout, as a branch could take
// them: what a commit has there is not replaced, so a check would find the work of the branch instead of them.
type lentPlaces struct {
	at    map[string]string // the path of the settings by the place of the file or folder, in the form of Fold
	above map[string]string // likewise, by a folder above the place
}

// findLent returns the places of the lent paths that the first commit leaves free.
func (g *comparison) findLent() lentPlaces {
	out := lentPlaces{map[string]string{}, map[string]string{}}
	tracked := map[string]bool{}
	for _, file := range slices.Concat(g.was.files, g.was.paths) {
		tracked[Fold(file)] = true
	}
	for _, file := range slices.Sorted(maps.Keys(g.rules.Lent)) {
		before := placesOf(file, g.was, g.wasFolded)
		// What is in the commit at which the branch began was there before it, and set-up has left the path alone ever since.
		if slices.ContainsFunc(before, func(place string) bool { return tracked[Fold(place)] || g.wasFolded.folders[Fold(place)] }) {
			continue
		}
		for _, place := range append(before, placesOf(file, g.now, g.nowFolded)...) {
			out.at[Fold(place)] = file
			for dir := path.Dir(Fold(place)); dir != "."; dir = path.Dir(dir) {
				out.above[dir] = file
			}
		}
	}
	return out
}

// placesOf returns a path, and where it leads on some system.
func placesOf(file string, views ...*tree) []string {
	out := []string{file}
	for _, view := range views {
		steps := maxSteps
		// A link that leads out is named by itself.
		if to, fault := view.follow(file, &steps); fault == "" && to != "" && !slices.Contains(out, to) {
			out = append(out, to)
		}
	}
	return out
}

// lent lists the changes by which the branch has something where worktrees get an ignored file or folder of the checkout.
func (g *comparison) lent() []Thing {
	if len(g.rules.Lent) == 0 {
		return nil
	}
	places := g.findLent()
	var out []Thing
	for _, ch := range g.diff {
		if ch.Status == 'D' || InChant(ch.Path) {
			continue
		}
		file, taken := "", false
		for at := Fold(ch.Path); at != "." && !taken; at = path.Dir(at) {
			file, taken = places.at[at]
		}
		// A file or a link in the place of a folder above keeps set-up away, or leads it elsewhere; a submodule that was there is
		// still a folder.
		if !taken && !(ch.Gitlink && ch.WasGitlink) {
			file, taken = places.above[Fold(ch.Path)]
		}
		if !taken {
			continue
		}
		t := Thing{Kind: Protected, Path: ch.Path, How: DescribeStatus(ch.Status), More: g.rules.Lent[file]}
		if file != ch.Path {
			t.Of = file
		}
		out = append(out, t)
	}
	return out
}
