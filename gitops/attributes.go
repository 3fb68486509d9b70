package gitops

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"

	"chant/gitops/gitconfig"
	"chant/gitops/gitexec"
	"chant/gitops/objectstore"
)

// AttributesFile is the name of the files in which a commit says how git treats its files.
const AttributesFile = ".gitattributes"

// checkoutAttributes change what a checkout, an archive or a merge writes for a file.
func checkoutAttributes() []string {
	return []string{"text", "crlf", "eol", "working-tree-encoding", "ident", "filter", "export-subst", "export-ignore", "merge"}
}

// attributes is Attributes with paths from the top.
func (r *Repo) attributes(ctx context.Context, rev string, paths []string) (out map[string]string, err error) {
	out = map[string]string{}
	if len(paths) == 0 {
		return out, nil
	}
	// git itself decides what matches, in a repository that has nothing but these files: "check-attr --source" is not in
	// all versions that chant works with, and the index of the person's checkout has settings and hooks beside it.
	dir, err := os.MkdirTemp("", "chant-attributes-")
	if err != nil {
		return nil, err
	}
	// A folder of its own also keeps out attributes from outside of the commit, such as the person's info/attributes.
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if _, err := Blank(dir, "main"); err != nil {
		return nil, err
	}
	if err := r.writeAttributes(ctx, rev, dir); err != nil {
		return nil, err
	}
	settings, env := gitconfig.Faithful()
	// A checkout may be on a file system of either kind, so a difference under one way of comparing names is enough.
	for _, ignoreCase := range []string{"false", "true"} {
		printed, err := r.git.Run(ctx, gitexec.Call{
			Dir: dir, Env: env, Settings: append(settings[:len(settings):len(settings)], "core.ignoreCase="+ignoreCase),
			Stdin: []byte(strings.Join(paths, "\x00") + "\x00"), Args: append([]string{"check-attr", "--stdin", "-z"}, checkoutAttributes()...),
		})
		if err != nil {
			return nil, err
		}
		fields := gitexec.Records(printed)
		if len(fields)%3 != 0 {
			return nil, fmt.Errorf("git check-attr: %d fields, which are no triples", len(fields))
		}
		for i := 0; i < len(fields); i += 3 {
			if fields[i+2] != "unspecified" {
				out[fields[i]] += " " + fields[i+1] + "=" + fields[i+2]
			}
		}
		for _, file := range paths {
			out[file] += ";"
		}
	}
	return out, nil
}

// writeAttributes writes the attribute files of a commit below a folder. It skips links, which git does not follow.
func (r *Repo) writeAttributes(ctx context.Context, rev, dir string) error {
	files, err := r.revs.Files(ctx, rev)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		// Git does not follow links to attribute files, and a link here could lead out of the folder.
		if path.Base(f.Name) != AttributesFile || f.Mode == objectstore.ModeSymlink || f.Mode == objectstore.ModeSubmodule {
			continue
		}
		text, err := r.ReadBlob(ctx, f.Hash)
		if err == nil {
			err = root.MkdirAll(path.Dir(f.Name), 0o700)
		}
		if err == nil {
			err = root.WriteFile(f.Name, text, 0o600)
		}
		if err != nil {
			return errors.Join(err, root.Close())
		}
	}
	return root.Close()
}
