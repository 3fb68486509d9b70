package words

// IsStop reports whether a folded word occurs in so many English texts that it finds nothing: articles, pronouns,
// auxiliaries and the shortest prepositions. Words that mean something in code or in specs ("not", "all", "before",
// "off", "only") are not among them.
func IsStop(word string) bool {
	switch word {
	case "a", "an", "the",
		"and", "or", "but", "if", "than", "then", "so", "as",
		"of", "in", "on", "at", "to", "for", "from", "by", "with", "into",
		"i", "me", "my", "we", "us", "our", "you", "your", "he", "him", "his", "she", "her",
		"it", "its", "they", "them", "their",
		"this", "that", "these", "those", "there", "here",
		"am", "is", "are", "was", "were", "be", "been", "being",
		"do", "does", "did", "has", "have", "had", "having",
		"can", "could", "should", "would", "will", "may", "might", "must",
		"what", "which", "who", "whom", "whose", "when", "where", "how", "why",
		"don", "doesn", "didn", "isn", "aren", "wasn", "weren", "won", "couldn", "shouldn", "wouldn", "hasn", "haven", "hadn",
		"very", "just", "also", "some", "such":
		return true
	}
	return false
}
