package objectstore

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/rootdir"
)

// This file puts objects into packs, before git writes them to a worktree or merges them.

const (
	maxBatch     = 64 << 20 // bytes of one pack that is made in memory
	maxSmall     = 8 << 20  // bytes of a pack that goes into another one
	manyPacks    = 40       // small ones, which then become one
	packsLock    = "chant-packs.lock"
	packVersion  = 2
	maxUnlisted  = 64 // rounds in which something new is found
	typeShift    = 4  // of the kind in the first byte of an entry
	sizeLow      = 0x0f
	continuesBit = 0x80
)

// ReplacedError says that the file of an object has other content than its name says. Git does not notice that when it
// reads such a file.
type ReplacedError struct{ Object string }

// Error names the object.
func (e *ReplacedError) Error() string {
	return fmt.Sprintf("git's object %s was replaced by other content", e.Object)
}

// Secure has everything that some commits have, given by their full hashes, in packs: the commits themselves, their folders
// and their files. History before them is not read. An agent, which can write to the files of objects, could exchange
// one for the moment in which git reads it; git reads a pack instead where there is one, and agents cannot write those.
// Objects that a partial clone has not fetched are left out. Errors: *ReplacedError.
func (o *Store) Secure(ctx context.Context, commits ...string) error {
	var open []string
	o.mu.Lock()
	for _, c := range commits {
		if !o.secured[c] {
			open = append(open, c)
		}
	}
	o.mu.Unlock()
	if len(open) == 0 {
		return nil
	}
	for range maxUnlisted {
		out, err := o.git.Run(ctx, gitexec.Call{
			Dir: o.site.Home, Limit: gitexec.LongLimit, Stdin: []byte(strings.Join(open, "\n") + "\n"),
			Args: []string{"rev-list", "--no-walk", "--objects", "--no-object-names", "--missing=allow-any", "--stdin"},
		})
		// What is not even an object is an error of git.
		if err != nil {
			return err
		}
		_, whole, err := o.packAll(ctx, strings.Fields(string(out)))
		if err != nil {
			return err
		}
		if whole {
			o.mu.Lock()
			defer o.mu.Unlock()
			if o.secured == nil {
				o.secured = map[string]bool{}
			}
			for _, c := range open {
				o.secured[c] = true
			}
			return nil
		}
	}
	return fmt.Errorf("the objects of commit %s change while they are read", open[0])
}

// SecureRange has the commits that one of two commits has and the other has not, and those at which their histories part, in
// packs, but not what is in them: git looks for the base of a merge there. Errors: *ReplacedError.
func (o *Store) SecureRange(ctx context.Context, a, b string) error {
	for range maxUnlisted {
		out, err := o.git.Run(ctx, gitexec.Call{Dir: o.site.Home, Limit: gitexec.LongLimit, Args: []string{"rev-list", "--boundary", a + "..." + b}})
		if err != nil {
			return err
		}
		// Git marks those at which they part.
		packed, _, err := o.packAll(ctx, strings.Fields(strings.ReplaceAll(string(out), "-", "")))
		// Once git has read nothing but packs, it has been shown nothing else.
		if err != nil || packed == 0 {
			return err
		}
	}
	return fmt.Errorf("the commits between %s and %s change while they are read", a, b)
}

// packAll packs those of some objects that are in no pack, and returns how many these were. whole is false if one of them names
// another that is not among them: git was shown something else when it listed them.
func (o *Store) packAll(ctx context.Context, names []string) (packed int, whole bool, err error) {
	listed := make(map[string]bool, len(names))
	for _, name := range names {
		listed[name] = true
	}
	whole = true
	var p packer
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return 0, false, context.Cause(ctx)
		}
		text, err := layout.ReadPlain(o.loosePath(name))
		if errors.Is(err, fs.ErrNotExist) {
			// It is in a pack.
			continue
		}
		if err != nil {
			return 0, false, err
		}
		found, ok := decodeLoose(text)
		if !ok || nameOf(found, len(name)) != name {
			return 0, false, &ReplacedError{name}
		}
		packed++
		for _, child := range o.children(found) {
			whole = whole && listed[child]
		}
		if err := p.add(name, found); err != nil {
			return 0, false, err
		}
		if p.body.Len() > maxBatch {
			if err := o.store(ctx, &p); err != nil {
				return 0, false, err
			}
		}
	}
	if err := o.store(ctx, &p); err != nil {
		return 0, false, err
	}
	return packed, whole, ctx.Err()
}

// children are the objects that a commit or a folder names, without those of its history and of submodules.
func (o *Store) children(of object) []string {
	var out []string
	switch of.kind {
	case KindCommit:
		line, _, _ := bytes.Cut(of.data, []byte("\n"))
		if tree, ok := bytes.CutPrefix(line, []byte("tree ")); ok {
			out = append(out, string(tree))
		}
	case KindTree:
		for line, err := range treeLines(of.data, o.site.Format.HashSize) {
			// Git reads a broken folder as far as this does.
			if err != nil {
				break
			}
			if e := line.entry(); e.Mode != ModeSubmodule {
				out = append(out, e.Hash)
			}
		}
	}
	return out
}

// packer makes a pack in memory: no deltas, so each entry is a head and the compressed content.
type packer struct {
	names []string
	body  bytes.Buffer
}

// The numbers of kinds in packs.
var packKinds = map[string]byte{KindCommit: 1, KindTree: 2, KindBlob: 3, KindTag: 4}

func (p *packer) add(name string, of object) error {
	size := len(of.data)
	first := packKinds[of.kind]<<typeShift | byte(size&sizeLow)
	if size >>= typeShift; size > 0 {
		first |= continuesBit
	}
	p.body.WriteByte(first)
	if size > 0 {
		p.body.Write(binary.AppendUvarint(nil, uint64(size)))
	}
	// Git compresses better when it packs these again.
	z, err := zlib.NewWriterLevel(&p.body, zlib.BestSpeed)
	if err != nil {
		return err
	}
	if _, err := z.Write(of.data); err != nil {
		return err
	}
	p.names = append(p.names, name)
	return z.Close()
}

// bytes returns the whole pack: its head, the entries and the sum.
func (p *packer) bytes() []byte {
	out := binary.BigEndian.AppendUint32([]byte("PACK"), packVersion)
	out = binary.BigEndian.AppendUint32(out, uint32(len(p.names)))
	out = append(out, p.body.Bytes()...)
	var sum hash.Hash = sha1.New()
	if len(p.names[0]) == hex.EncodedLen(sha256.Size) {
		sum = sha256.New()
	}
	sum.Write(out)
	return sum.Sum(out)
}

// store gives a pack to git and empties it. The files of its objects are removed: a pack has them now.
func (o *Store) store(ctx context.Context, p *packer) error {
	if len(p.names) == 0 {
		return nil
	}
	_, err := o.git.Run(ctx, gitexec.Call{Dir: o.site.Home, Limit: gitexec.LongLimit, Write: true, Stdin: p.bytes(), Args: []string{"index-pack", "--stdin"}})
	if failed, ok := errors.AsType[*gitexec.Error](err); ok && strings.Contains(failed.Stderr, "COLLISION") {
		// Git compares what it gets with what it has. The content here was checked, so that of a file is another one.
		_, name, _ := strings.Cut(failed.Stderr, "COLLISION FOUND WITH ")
		name, _, _ = strings.Cut(name, " ")
		return &ReplacedError{name}
	}
	if err != nil {
		return err
	}
	for _, name := range p.names {
		dir, file := filepath.Split(o.loosePath(name))
		// Git reads the pack, so a file may stay. It does where the folder is another user's.
		_ = rootdir.In(dir, func(root *os.Root) error { return root.Remove(file) })
	}
	*p = packer{}
	// All objects are in packs, so a failure here only leaves more of them.
	_ = o.joinPacks(ctx)
	return nil
}

// joinPacks makes one pack of many small ones, since git asks each of them for an object.
func (o *Store) joinPacks(ctx context.Context) error {
	if len(o.smallPacks()) < manyPacks {
		return nil
	}
	lock := flock.New(filepath.Join(o.site.Common, packsLock), flock.SetPermissions(0o644))
	// The process that has it does this.
	if mine, err := lock.TryLock(); err != nil || !mine {
		return err
	}
	defer func() { _ = lock.Unlock() }()
	// Another process may have done it before.
	small := o.smallPacks()
	if len(small) < manyPacks {
		return nil
	}
	out, err := o.git.Run(ctx, gitexec.Call{
		Dir: o.site.Home, Limit: gitexec.LongLimit, Write: true, Stdin: []byte(strings.Join(small, ".pack\n") + ".pack\n"),
		Settings: []string{"pack.packSizeLimit=0"},
		// Only packs are read, never the files of objects.
		Args: []string{"pack-objects", "--stdin-packs", "--quiet", "--delta-base-offset", filepath.Join(o.packDir, "pack")},
	})
	if err != nil {
		return err
	}
	joined := strings.Fields(string(out))
	return rootdir.In(o.packDir, func(root *os.Root) error {
		// Nothing is removed unless its objects are elsewhere.
		for _, name := range joined {
			for _, end := range []string{".idx", ".pack"} {
				if _, err := root.Lstat("pack-" + name + end); err != nil {
					return err
				}
			}
		}
		if len(joined) == 0 {
			return nil
		}
		for _, name := range small {
			if slices.Contains(joined, strings.TrimPrefix(name, "pack-")) {
				continue
			}
			// The index first: a pack without one is not there for git.
			for _, end := range []string{".idx", ".rev", ".pack"} {
				if err := root.Remove(name + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return err
				}
			}
		}
		return nil
	})
}

// smallPacks returns the names, without ".pack", of packs that can be joined: small ones with an index that git does not keep
// for a reason of its own (".keep", ".promisor", ".mtimes", ".bitmap"). There are none where one index leads to many packs,
// which would lead to what is gone.
func (o *Store) smallPacks() []string {
	entries, err := os.ReadDir(o.packDir)
	if err != nil {
		return nil
	}
	special, indexed := map[string]bool{}, map[string]bool{}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "multi-pack-index") {
			return nil
		}
		switch end := filepath.Ext(e.Name()); end {
		case ".idx":
			indexed[strings.TrimSuffix(e.Name(), end)] = true
		case ".pack", ".rev":
		default:
			special[strings.TrimSuffix(e.Name(), end)] = true
		}
	}
	var out []string
	for _, e := range entries {
		name, isPack := strings.CutSuffix(e.Name(), ".pack")
		if !isPack || special[name] || !indexed[name] || !strings.HasPrefix(name, "pack-") {
			continue
		}
		if info, err := e.Info(); err == nil && info.Size() < maxSmall {
			out = append(out, name)
		}
	}
	return out
}
