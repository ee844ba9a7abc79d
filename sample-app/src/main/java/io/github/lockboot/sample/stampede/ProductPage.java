package io.github.lockboot.sample.stampede;

import java.time.Instant;

/**
 * The page of a product.
 *
 * @param product id of the product
 * @param stars the average number of stars
 */
record ProductPage(String product, int reviews, double stars, Instant queriedAt) {
}
