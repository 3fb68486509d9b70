// Package search is the domain of finding text: words and their stems, an inverted index with its ranking, and the documents of
// a project in it. Searching code has a domain of its own.
package search
