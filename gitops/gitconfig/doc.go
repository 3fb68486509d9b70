// Package gitconfig reads and changes git's settings, and finds those that make git run a program
// or take one thing for another.
//
// It never changes settings outside of the repository.
package gitconfig
