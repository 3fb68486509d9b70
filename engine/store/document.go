package store

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"chant/engine/spec"
	"chant/engine/stamp"
	"chant/gitops"
	"chant/markdown"
)

// DocumentKind is what a document is that can be searched.
type DocumentKind string

// The kinds of documents.
const (
	SpecDocument     DocumentKind = "spec"
	ArchivedDocument DocumentKind = "archived"
	PromptDocument   DocumentKind = "prompt"
	PlainDocument    DocumentKind = "documentation"
)

// Limits of the documentation that is searched.
const (
	longestDocument = 1 << 20
	mostDocuments   = 2000
)

// Document is one text that can be searched: a spec in its current version, an archived spec, a prompt or a Markdown
// file of the repository.
type Document struct {
	Kind DocumentKind
	ID   string // of a spec
	Path string // below the top of the worktree

	tree string      // the top of the worktree with its file, "" if it is a blob
	blob string      // id of the blob of a version on the branch of a run
	at   stamp.Stamp // of the file when the documents were listed
}

// key identifies the document and its text in a segment, "" if the stamp of the file does not identify its text.
func (d *Document) key(at stamp.Stamp) string {
	if d.tree == "" {
		return d.Path + "\x00" + d.blob
	}
	if !at.Known() {
		return ""
	}
	out := append([]byte(d.Path), 0)
	for _, v := range []uint64{uint64(at.Modified), uint64(at.Changed), uint64(at.Size), at.Inode} {
		out = binary.LittleEndian.AppendUint64(out, v)
	}
	return string(out)
}

// listDocuments lists all documents with their present stamps. It reads none of them.
func (r *rowSource) listDocuments(ctx context.Context) ([]Document, error) {
	plain, plainErr := []Document(nil), error(nil)
	var wg sync.WaitGroup
	wg.Go(func() { plain, plainErr = r.listPlain(ctx) }) // reading git's index takes as long as the rest
	docs, err := r.listSpecs(ctx)
	prompts, promptErr := r.listPrompts()
	wg.Wait()
	docs = slices.Concat(docs, prompts, plain)
	if err := cmp.Or(err, promptErr, plainErr); err != nil {
		return nil, err
	}
	r.stampDocuments(docs)
	return slices.DeleteFunc(docs, func(d Document) bool {
		return d.Kind == PlainDocument && d.at.Size > longestDocument
	}), nil
}

// listSpecs lists the active and the archived specs. If an id has several files, the active one counts.
func (r *rowSource) listSpecs(ctx context.Context) ([]Document, error) {
	_, names, err := listFolder(filepath.Join(r.Store.home, filepath.FromSlash(SpecsDir)), r.clock())
	if err != nil {
		return nil, err
	}
	archived, err := r.archivePaths()
	if err != nil {
		return nil, err
	}
	tips, err := r.branches(ctx)
	if err != nil {
		return nil, err
	}
	docs := make([]Document, 0, len(names)+len(archived))
	for _, id := range idsOfNames(names) {
		d := Document{Kind: SpecDocument, ID: id, Path: SpecPath(id), tree: r.Store.home}
		if err := r.findVersion(ctx, &d, tips[id]); err != nil {
			return nil, err
		}
		docs = append(docs, d)
		delete(archived, id)
		delete(tips, id)
	}
	for id, file := range archived {
		docs = append(docs, Document{Kind: ArchivedDocument, ID: id, Path: file, tree: r.Store.home})
		delete(tips, id)
	}
	for id, tip := range tips { // only on the branch of its run
		d := Document{Kind: SpecDocument, ID: id, Path: SpecPath(id)}
		if err := r.findVersion(ctx, &d, tip); err != nil {
			return nil, err
		}
		if d.tree != "" || d.blob != "" {
			docs = append(docs, d)
		}
	}
	r.tips = nil // tips is used up
	return docs, nil
}

// findVersion finds the current version of a spec: in the worktree of the run in which the caller is, or on the branch
// of its run.
func (r *rowSource) findVersion(ctx context.Context, d *Document, tip string) error {
	if d.ID == r.run {
		if _, err := regularFile(r.Tree(d.ID), d.Path); err == nil {
			d.tree = r.Tree(d.ID)
			return nil
		}
	}
	if tip == "" || spec.ValidName(d.ID) != nil {
		return nil
	}
	at, oid, err := r.place(ctx, tip, d.ID)
	if errors.Is(err, gitops.ErrNotFound) {
		return nil
	}
	if err == nil && oid != "" {
		d.tree, d.blob = "", oid
		r.batch.Seen[at] = oid
	}
	return err
}

// listPrompts lists the prompts of the project.
func (r *rowSource) listPrompts() (docs []Document, err error) {
	err = fs.WalkDir(os.DirFS(r.Store.home), PromptsDir, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && strings.HasSuffix(name, ".md") {
			docs = append(docs, Document{Kind: PromptDocument, Path: name, tree: r.Store.home})
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return docs, err
}

// listPlain lists the Markdown files of the repository, other than those of chant.
func (r *rowSource) listPlain(ctx context.Context) (docs []Document, err error) {
	paths, err := r.repo.TrackedFiles(ctx, r.Store.home)
	if err != nil {
		return nil, err
	}
	last := ""
	for _, file := range paths {
		if file == last || strings.HasPrefix(file, Dir+"/") || !strings.HasSuffix(file, ".md") {
			continue
		}
		last = file // a file that is not merged is listed several times
		if docs = append(docs, Document{Kind: PlainDocument, Path: file, tree: r.Store.home}); len(docs) == mostDocuments {
			break
		}
	}
	return docs, nil
}

// stampDocuments reads the stamps of all files, folder by folder, which spares the kernel the paths to them.
func (r *rowSource) stampDocuments(docs []Document) {
	folders := map[string][]int{}
	for i, d := range docs {
		if d.tree != "" {
			folder := d.tree + "/" + path.Dir(d.Path)
			folders[folder] = append(folders[folder], i)
		}
	}
	for folder, numbers := range folders {
		names := make([]string, len(numbers))
		for i, n := range numbers {
			names[i] = path.Base(docs[n].Path)
		}
		stamps, _ := stamp.Sweep(filepath.FromSlash(folder), names) // reading the files shows what is wrong with each
		for i, at := range stamps {
			docs[numbers[i]].at = at
		}
	}
}

// documentText is what is searched of a document.
type documentText struct {
	title, names, body string
	at                 stamp.Stamp // of the file that was read, zero if it had not settled
}

// readDocument reads the text of a document; ok is false if it is gone or cannot be read.
func (r *rowSource) readDocument(ctx context.Context, d *Document) (t documentText, ok bool) {
	if d.Kind == PlainDocument { // a link leads to another document, or out of the repository
		info, err := os.Lstat(filepath.Join(d.tree, filepath.FromSlash(d.Path)))
		if err != nil || !info.Mode().IsRegular() || info.Size() > longestDocument {
			return t, false
		}
	}
	var src []byte
	var err error
	if d.tree == "" {
		src, err = r.repo.ReadBlob(ctx, d.blob)
	} else {
		src, t.at, err = readStamped(d.tree, d.Path, r.clock())
	}
	if err != nil {
		return t, false
	}
	t.title, t.names, t.body = "", d.Path, string(src)
	if d.ID != "" {
		t.names = d.ID
		if got, err := r.Parse(d.ID, d.Path, src); err == nil {
			t.title, t.body = got.Title, string(got.Doc.Body())
			t.names += " " + strings.Join(got.Fields.Labels, " ")
		}
	} else if doc, err := markdown.Parse(d.Path, src); err == nil {
		t.title, t.body = doc.Title(), string(doc.Body())
	}
	return t, true
}
