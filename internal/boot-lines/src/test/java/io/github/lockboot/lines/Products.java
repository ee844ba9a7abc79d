package io.github.lockboot.lines;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import org.awaitility.Awaitility;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.RedisCacheEvict;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Cached methods that count their runs.
 */
@Service
class Products {

	static final Instant CREATED = Instant.parse("2026-02-03T04:05:06.789Z");

	private final AtomicInteger loads = new AtomicInteger();

	int loads() {
		return this.loads.get();
	}

	private Product load(String id) {
		this.loads.incrementAndGet();
		return new Product(id, CREATED, Optional.of("red"), List.of(new Price("EUR", 199)));
	}

	/** A call may load once more while Redis does not reply in time. */
	void awaitCached(Supplier<Product> call, Product expected) {
		Awaitility.await().until(() -> {
			int loads = loads();
			assertThat(call.get()).isEqualTo(expected);
			return loads() == loads;
		});
	}

	@RedisCache(name = "product", key = "#id")
	public Product find(String id) {
		return load(id);
	}

	@RedisCache(name = "product-later", key = "#id", localTtl = "10s")
	public Mono<Product> findReactively(String id) {
		return Mono.fromCallable(() -> load(id));
	}

	@Cacheable("product-spring")
	public Product findBySpring(String id) {
		return load(id);
	}

	@RedisCacheEvict(name = "product", key = "#id")
	public void change(String id) {
	}

	record Product(String id, Instant created, Optional<String> colour, List<Price> prices) {
	}

	record Price(String currency, long cents) {
	}

}
