package io.github.lockboot.sample.sale;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/**
 * The guards that the sample has without another library.
 */
@Configuration(proxyBeanMethods = false)
class SaleGuards {

	@Bean
	@Order(1)
	SaleGuard noGuard(Shop shop) {
		return new SaleGuard("none", "Without a guard",
				"Two buyers may read the same stock: the sale shows the damage.", "sale/Shop", "buyUnlocked",
				shop::buyUnlocked);
	}

	@Bean
	@Order(2)
	SaleGuard lock(Shop shop) {
		return new SaleGuard("lock", "With @DistributedLock", "A waiting buyer neither polls nor keeps a connection.",
				"sale/Shop", "buyLocked", shop::buyLocked);
	}

	@Bean
	@Order(3)
	SaleGuard rowLock(Shop shop) {
		return new SaleGuard("database", "With the database's row lock",
				"Each waiting buyer keeps a connection to the database.", "sale/Shop", "buyWithRowLock",
				shop::buyWithRowLock);
	}

	@Bean
	@Order(4)
	SaleGuard version(Shop shop) {
		return new SaleGuard("version", "With a version column",
				"A buyer who finds the row changed tries again, up to 50 times.", "sale/Shop", "buyWithVersion",
				shop::buyWithVersion);
	}

}
