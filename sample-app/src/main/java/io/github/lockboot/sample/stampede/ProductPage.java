package io.github.lockboot.sample.stampede;

import java.time.Instant;

/**
 * The page of a product.
 *
 * @param product its id
 * @param reviews their number
 * @param stars their average
 * @param queriedAt the time of the query
 */
record ProductPage(String product, int reviews, double stars, Instant queriedAt) {
}
