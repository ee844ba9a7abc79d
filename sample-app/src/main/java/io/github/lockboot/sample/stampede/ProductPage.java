package io.github.lockboot.sample.stampede;

import java.time.Instant;

/**
 * The page of a product.
 *
 * @param product id of the product
 * @param reviews the number of reviews
 * @param stars the average number of stars
 * @param queriedAt the time of the query
 */
record ProductPage(String product, int reviews, double stars, Instant queriedAt) {
}
