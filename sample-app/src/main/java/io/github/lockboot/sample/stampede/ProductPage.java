package io.github.lockboot.sample.stampede;

import java.time.Instant;

/**
 * What is shown of a product.
 *
 * @param product its id
 * @param reviews how many there are
 * @param stars their average
 * @param queriedAt when the database was asked
 */
record ProductPage(String product, int reviews, double stars, Instant queriedAt) {
}
