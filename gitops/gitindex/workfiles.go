package gitindex

import (
	"context"
	"slices"
	"strings"

	"chant/gitops/gitexec"
)

// WorkFile is a file of a worktree that git does not ignore.
type WorkFile struct {
	Path string
	// Hash is the blob that the index has for it, if git says that the file has not been changed since; "" for a changed or
	// untracked file. With filters or other line ends, the bytes of the file differ from those of the blob.
	Hash string
	Kind WorkKind
}

// WorkKind is what stands at a path.
type WorkKind int

// Kinds of what stands at a path.
const (
	WorkRegular   WorkKind = iota
	WorkLink               // a symbolic link
	WorkSubmodule          // the folder of a submodule
)

// WorkFiles lists the tracked files that are in the worktree whose top is dir, and the untracked ones that are not
// ignored, sorted by path. What is deleted, or was left out of a sparse checkout, is not listed; other repositories
// inside are listed only if they are submodules. Errors: ErrNotRepository.
func (x *Index) WorkFiles(ctx context.Context, dir string) ([]WorkFile, error) {
	p, err := x.Site.Place(dir)
	if err != nil {
		return nil, err
	}
	var changed []StatusEntry
	var changedErr error
	asked := make(chan struct{})
	// The two commands of git do not depend on each other, so they run at the same time.
	go func() {
		defer close(asked)
		changed, changedErr = x.Status(ctx, dir)
	}()
	out, err := x.Git.Run(ctx, gitexec.Call{Dir: p.Top, Args: []string{"ls-files", "-s", "-v", "-z"}})
	<-asked
	if err != nil {
		return nil, err
	}
	if changedErr != nil {
		return nil, changedErr
	}
	byPath := make(map[string]string, len(changed))
	for _, e := range changed {
		byPath[e.Path] = e.Code
	}
	files := tracked(out, byPath)
	for _, e := range changed {
		// A slash at the end means another repository.
		if e.Code == "??" && !strings.HasSuffix(e.Path, "/") {
			files = append(files, WorkFile{Path: e.Path})
		}
	}
	slices.SortFunc(files, func(a, b WorkFile) int { return strings.Compare(a.Path, b.Path) })
	// A conflict has up to three stages of one path.
	return slices.CompactFunc(files, func(a, b WorkFile) bool { return a.Path == b.Path }), nil
}

// tracked reads what `git ls-files -s -v -z` has printed. codes are those of git status, by path.
func tracked(out []byte, codes map[string]string) []WorkFile {
	var files []WorkFile
	for _, record := range gitexec.Records(out) {
		head, path, ok := strings.Cut(record, "\t")
		fields := strings.Fields(head) // tag, mode, hash, stage
		if !ok || len(fields) != 4 || fields[0] == "S" {
			continue
		}
		file := WorkFile{Path: path, Hash: fields[2]}
		switch fields[1] {
		case "120000":
			file.Kind = WorkLink
		case "160000":
			file.Kind = WorkSubmodule
		}
		code, isChanged := codes[path]
		if isChanged && code[1] == 'D' {
			continue
		}
		// In lower case, the tag says that git does not look at the file.
		if isChanged && code[1] != ' ' || fields[3] != "0" || fields[0] != "H" {
			file.Hash = ""
		}
		files = append(files, file)
	}
	return files
}
