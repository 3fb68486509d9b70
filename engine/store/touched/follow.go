package touched

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"chant/engine/store"
	"chant/gitops"
)

// tree resolves links and paths of a commit, on systems that compare names as written, or as Fold has them.
type tree struct {
	files   []string
	folders map[string]bool   // by key
	links   map[string]string // what each says, by key
	paths   []string          // of the links
	key     func(string) string
}

const (
	// maxHops is how many links a path may lead through; systems follow at most 63.
	maxHops = 64
	// maxSteps bounds the work of following all links of a commit.
	maxSteps = 2_000_000
	// maxNames is by how many paths a file may be reached.
	maxNames = 500
)

// links reads the links of a commit. They are followed in two ways: as systems do that compare names byte for byte, and as
// others do.
func (c Commits) links(ctx context.Context, rev string) (exact, folded *tree, err error) {
	files, err := c.Repo.Files(ctx, rev)
	if err != nil {
		return nil, nil, err
	}
	exact = &tree{folders: map[string]bool{}, links: map[string]string{}, key: func(p string) string { return p }}
	folded = &tree{folders: map[string]bool{}, links: map[string]string{}, key: Fold}
	// Both readings come from one list: git stores names by their bytes, and systems fold them at checkout.
	for _, f := range files {
		for _, t := range []*tree{exact, folded} {
			for dir := path.Dir(f.Name); dir != "." && !t.folders[t.key(dir)]; dir = path.Dir(dir) {
				t.folders[t.key(dir)] = true
			}
		}
		switch f.Mode {
		// A submodule is a folder in a checkout.
		case "160000":
			exact.folders[f.Name], folded.folders[Fold(f.Name)] = true, true
		case "120000":
			to, err := c.Repo.ReadBlob(ctx, f.Hash)
			if err != nil {
				return nil, nil, err
			}
			for _, t := range []*tree{exact, folded} {
				t.links[t.key(f.Name)] = string(to)
				t.paths = append(t.paths, f.Name)
			}
		default:
			exact.files = append(exact.files, f.Name)
		}
	}
	folded.files = exact.files
	return exact, folded, nil
}

// drive matches the beginning of an absolute path of Windows.
var drive = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z]:`) })

// follow returns where the links in a path lead: a path from the top, "" for the top itself, or a fault, in words that follow "a link
// that". steps counts down to 0 in all.
func (t *tree) follow(file string, steps *int) (to, fault string) {
	var at []string
	rest := strings.Split(file, "/")
	hops := 0
	for len(rest) > 0 {
		// The bound is shared by all links of a commit: links that multiply each other would take forever.
		if *steps--; *steps < 0 {
			return "", "leads through more links than chant follows"
		}
		part := rest[0]
		rest = rest[1:]
		switch {
		case part == "" || part == ".":
			continue
		case part == "..":
			switch {
			case len(at) == 0:
				return "", "leads out of the repository"
			// ".." from a folder that a checkout lacks is resolved by its name on some systems, and through its real parent
			// on others.
			case !t.folders[t.key(strings.Join(at, "/"))]:
				return "", "leads back from a folder that the repository does not have, and so perhaps out of it"
			}
			at = at[:len(at)-1]
			continue
		case Fold(part) == gitFolder:
			return "", "leads into a folder of git"
		}
		// The capacity is cut, so that appending does not overwrite a path that is still in use.
		next := strings.Join(append(at[:len(at):len(at)], part), "/")
		said, isLink := t.links[t.key(next)]
		if !isLink {
			at = append(at[:len(at):len(at)], part)
			continue
		}
		if hops++; hops > maxHops {
			return "", "leads through more links than systems follow"
		}
		if strings.HasPrefix(said, "/") || strings.HasPrefix(said, `\`) || drive().MatchString(said) {
			return "", "leads out of the repository"
		}
		// Only systems that fold names separate folders with a backslash.
		if t.key(`\`) == "/" {
			said = strings.ReplaceAll(said, `\`, "/")
		}
		// Long targets cost as much as many links.
		if *steps -= len(said); *steps < 0 {
			return "", "leads through more links than chant follows"
		}
		rest = append(strings.Split(said, "/"), rest...)
	}
	to = strings.Join(at, "/")
	// A link into .chant would let a file outside of it decide what chant reads.
	if to == store.Dir || InChant(to) {
		return "", "leads into " + store.Dir
	}
	return to, ""
}

// reach are the links of commits and where each leads, "" for the top.
type reach [][2]string

// followAll follows all links of a tree. It returns the faults by link.
func (t *tree) followAll() (out reach, faults map[string]string) {
	faults = map[string]string{}
	steps := maxSteps
	for _, link := range t.paths {
		to, fault := t.follow(link, &steps)
		if fault != "" {
			faults[link] = fault
		} else if to != link {
			// A link to itself would reach nothing new.
			out = append(out, [2]string{link, to})
		}
	}
	return out, faults
}

// names returns the paths by which a file can be reached: its own, and those through links, each of which is used once for
// one path. more reports that there are too many to list.
func (r reach) names(file string) (out []string, more bool) {
	type name struct {
		path string
		used []int
	}
	all := []name{{path: file}}
	for i := 0; i < len(all); i++ {
		out = append(out, all[i].path)
		for at, link := range r {
			rest, below := strings.CutPrefix(all[i].path, link[1]+"/")
			if link[1] == "" {
				rest, below = all[i].path, true
			}
			// Each link is used once for a path, so that links in a circle end.
			if slices.Contains(all[i].used, at) || !below && all[i].path != link[1] {
				continue
			}
			next := link[0]
			if below {
				next += "/" + rest
			}
			// A file with more names than this is refused rather than judged by a part of them.
			if len(all) >= maxNames {
				return out, true
			}
			all = append(all, name{next, append(slices.Clone(all[i].used), at)})
		}
	}
	return out, false
}

// outwardLinks lists the links that lead out of the repository, into a folder of git or into .chant, and did not do so before.
// Any changed link can turn another one that is as it was.
func outwardLinks(changes []gitops.Change, was, now *tree) []Thing {
	// Without a changed link, no link leads elsewhere than before: what they lead through has the same links.
	cause := slices.IndexFunc(changes, func(ch gitops.Change) bool { return ch.Link || ch.WasLink })
	if cause < 0 {
		return nil
	}
	_, before := was.followAll()
	_, after := now.followAll()
	var out []Thing
	for _, link := range now.paths {
		fault := after[link]
		// What is in .chant is named as such, and a link that was as bad before is not of this change.
		if fault == "" || InChant(link) ||
			fault == before[link] && was.links[was.key(link)] == now.links[now.key(link)] {
			continue
		}
		// A link that itself is as it was has been turned by another one, which is named instead.
		at := slices.IndexFunc(changes, func(ch gitops.Change) bool { return ch.Path == link })
		if at < 0 {
			at = cause
		}
		out = append(out, Thing{Kind: Outward, Path: changes[at].Path, How: DescribeStatus(changes[at].Status), Of: link, More: fault + ": " + now.links[now.key(link)]})
	}
	return out
}
